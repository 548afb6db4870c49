import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { createVideo } from "#tests/support/media.ts";
import { createMember } from "#tests/support/people.ts";
import type { Member } from "../session/guards.server.ts";
import { answerFilePart } from "../studio/file-part.server.ts";
import { type CaptionsAnswer, captionsPart } from "./captions-form.server.ts";
import { NO_ROOM } from "./photos-form.server.ts";
import { receiveUploadForm } from "./upload-form.server.ts";

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
    answerFilePart<CaptionsAnswer>(request(), member, { id, part: "captions" }, captionsPart, async () => ({
      freeBytes,
      quotaBytes: 0,
    }));
  expect(await answerWith(1e6)).toMatchObject({
    init: { status: 507 },
    data: { error: NO_ROOM, sent: { typed: { language: "de", label: "Deutsch" } } },
  });
  expect(await answerWith(1e12)).toMatchObject({ status: 303 });
});

test("the form without JavaScript accepts names with any character", async () => {
  const { id: userId } = await createMember({ role: "editor" });
  const names = ["a;b=c.jpg", 'a "quoted" name.jpg', "é ☂.jpg"];
  const fields = names.map((name): [string, File] => ["files", new File([name], name)]);
  expect(await receiveUploadForm(sent([...fields, ["files", new File([], "")]]), userId)).toEqual({
    files: 3,
    trouble: null,
  });
  const rows = await db.execute<{ path: string; bytes: number }>(sql`
    SELECT path, bytes::int AS bytes FROM uploads JOIN upload_batches batch ON batch.id = batch_id
    WHERE user_id = ${userId} ORDER BY position`);
  expect(rows).toEqual(names.map((path) => ({ path, bytes: Buffer.byteLength(path) })));
});

test("complete files stay when a form is cut off, and an empty or duplicate file is reported", async () => {
  const { id: userId } = await createMember({ role: "editor" });
  const whole = sent([
    ["files", new File(["one"], "one.jpg")],
    ["files", new File(["two"], "two.jpg")],
  ]);
  const bytes = Buffer.from(await whole.clone().arrayBuffer());
  const cut = new Request(whole.url, {
    ...{ method: "POST", body: bytes.subarray(0, bytes.indexOf("two.jpg") + 60) },
    headers: { "content-type": whole.headers.get("content-type") ?? "" },
  });
  expect(await receiveUploadForm(cut, userId)).toEqual({ files: 1, trouble: "unread" });
  const twice = sent([
    ["files", new File(["one"], "one.jpg")],
    ["files", new File(["other"], "one.jpg")],
  ]);
  expect(await receiveUploadForm(twice, userId)).toEqual({ files: 1, trouble: "twice" });
  expect(await receiveUploadForm(sent([["files", new File([], "none.jpg")]]), userId)).toEqual({
    files: 0,
    trouble: "empty",
  });
});
