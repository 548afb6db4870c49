import { expect, test } from "vitest";
import { createVideo } from "#tests/support/media.ts";
import { createMember } from "#tests/support/people.ts";
import type { Member } from "../session/guards.server.ts";
import { answerFormGroup } from "../studio/form-group.server.ts";
import { type CaptionsAnswer, captionsPart } from "./captions-form.server.ts";
import { NO_ROOM } from "./photos-form.server.ts";

function sent(fields: [name: string, value: string | File][]): Request {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  return new Request("http://localhost/", { method: "POST", body });
}

test("without room on the disk, the files of an item's form are dropped and the typed values come back", async () => {
  const { id } = await createVideo();
  const user = await createMember({ role: "editor" });
  const member = {
    user: { ...user, role: "editor" },
    session: { signedInSecondsAgo: 0 },
  } as unknown as Member;
  const request = () =>
    sent([
      ["intent", "add"],
      ["language", "de"],
      ["label", "Deutsch"],
      ["captions", new File(["WEBVTT\n\n00:01.000 --> 00:02.000\nHallo"], "de.vtt")],
    ]);
  const answerWith = (freeBytes: number) =>
    answerFormGroup<CaptionsAnswer>(request(), member, { id, part: "captions" }, captionsPart, async () => ({
      freeBytes,
      quotaBytes: 0,
    }));
  expect(await answerWith(1e6)).toMatchObject({
    init: { status: 507 },
    data: { error: NO_ROOM, sent: { typed: { language: "de", label: "Deutsch" } } },
  });
  expect(await answerWith(1e12)).toMatchObject({ status: 303 });
});
