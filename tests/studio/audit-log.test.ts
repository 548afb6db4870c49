import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { confirmBulk } from "#app/domain/catalog/edit/bulk/bulk-changes.server.ts";
import { makeDraftLink, revokeDraftLink } from "#app/domain/catalog/edit/states/draft-links.server.ts";
import { changeState } from "#app/domain/catalog/edit/states/transitions.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { listDraftLinks } from "#tests/support/draft-links.ts";
import { editPart } from "#tests/support/edit-part.ts";
import { createPhotoSet, createVideo } from "#tests/support/media.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";

const ZONE = "Asia/Tokyo";
const ADA = { id: randomUUID(), name: "ada@example.com", role: "owner" } as const;

let site: Site;
let owner: string;
beforeAll(async () => {
  site = await startSite({ env: { TIME_ZONE: ZONE } });
  await db.insert(users).values({ id: ADA.id, email: ADA.name, role: "owner" });
  owner = await signedInCookie((await createMember({ role: "owner" })).id);
});
afterAll(() => site.stop());

const read = async (path: string) => (await site.fetch(path, { headers: { cookie: owner } })).text();
/** The text between two marks of a page, without its tags. */
const textIn = (html: string, from: string, to: string) =>
  html
    .slice(html.indexOf(from))
    .split(to, 1)
    .join()
    .replaceAll("<!-- -->", "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
const logOf = (html: string) => textIn(html, '<li id="entry-', "</ol>");
const historyOf = (html: string) => textIn(html, '<section id="history"', "</section>");
/** The times of the entries, without those of the plans in them. */
const timesIn = (text: string) =>
  (text.match(/\d+ \w+ \d{4}, \d\d:\d\d/g) ?? []).filter((time) => !time.includes("2099"));

test("an owner reads in plain words who did what to which item, in the site's time zone", async () => {
  const video = await createVideo({ title: "Silk", status: "draft" });
  const set = await createPhotoSet({ title: "Paper" });
  await editPart(ADA, video.id, "text", { title: "Silk and smoke" });
  await editPart(ADA, video.id, "access", { access: "member", allowDownload: true });
  await editPart(ADA, video.id, "dates", { expireAt: "2099-12-01T19:00:00.000Z" });
  await makeDraftLink(ADA, video.id);
  const [link] = await listDraftLinks(video.id);
  await revokeDraftLink(ADA, video.id, link?.id ?? "");
  await changeState(ADA, video.id, "schedule", { publishAt: new Date("2099-11-20T19:00:00Z") });
  await changeState(ADA, set.id, "takeDown", { reason: "A complaint" });
  const ids = [video.id, set.id];
  const bulk = await confirmBulk(ADA, { ids }, { kind: "access", access: "free" });

  const page = await read(paths.studioAudit({ actor: ADA.name }));
  const log = logOf(page);
  for (const sentence of [
    "ada@example.com edited “Silk” ",
    "Title: Silk → Silk and smoke",
    "ada@example.com edited “Silk and smoke” ",
    "Access: Subscribers → Members",
    "Download: No → Yes",
    "Shown until: nothing → 2 Dec 2099, 04:00",
    "ada@example.com created a draft link for “Silk and smoke”",
    "ada@example.com revoked a draft link for “Silk and smoke”",
    "ada@example.com scheduled “Silk and smoke”",
    "State: Draft → Scheduled",
    "Publication date: nothing → 21 Nov 2099, 04:00",
    "ada@example.com took “Paper” down",
    "Reason: nothing → A complaint",
    "ada@example.com changed the access of 2 items to Everyone",
  ]) {
    expect(log).toContain(sentence);
  }
  expect(log).not.toMatch(/[{}[\]]|[0-9a-f]{8}-|\dT\d/);
  expect(page).toContain(paths.studioBulk({ running: bulk.id ?? "" }));
  expect(page).toContain(`Times are in ${ZONE}.`);

  const history = historyOf(await read(paths.studioItem(video.id)));
  expect(history).toContain("ada@example.com created a draft link for “Silk and smoke”");
  expect(history).toContain(`Times are in ${ZONE}.`);
  // Seven entries, and the end of the draft link.
  expect(timesIn(history)).toHaveLength(8);
  const ofVideo = await read(paths.studioAudit({ subject: video.id }));
  expect(ofVideo).toMatch(/<input[^>]*name="subject"[^>]* value="Silk and smoke"/);
  const entries = logOf(ofVideo);
  // The history has the time behind the sentence, the log before it.
  expect(timesIn(entries).toSorted()).toEqual(timesIn(history).toSorted());
});

test("the log and an item's history show what changed where it is short, and fold what is long", async () => {
  const { id } = await createVideo({ title: "Short words", status: "draft" });
  const description = "Two at the sea, before the storm. ".repeat(20).trim();
  await editPart(ADA, id, "text", { title: "Few words", description });
  for (const path of [paths.studioAudit({ subject: id }), paths.studioItem(id)]) {
    const html = (await read(path)).replaceAll("<!-- -->", "");
    const unfolded = html.replace(/<details.*?<\/details>/gs, "");
    expect(unfolded).toContain("Title: Short words → Few words");
    expect(unfolded).not.toContain(`→ ${description}`);
    expect(html).toContain(`→ ${description}`);
  }
});

test("the log still names a deleted draft", async () => {
  const draft = await createVideo({ title: "Never shown", status: "draft" });
  await changeState(ADA, draft.id, "delete");
  expect(logOf(await read(paths.studioAudit({ action: "media.deleted" })))).toContain(
    "ada@example.com deleted “Never shown” for good",
  );
});
