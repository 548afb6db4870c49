import { eq, inArray, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { formatZoneDate } from "#app/dates.ts";
import { confirmBulk } from "#app/domain/catalog/edit/bulk/bulk-changes.server.ts";
import { changeState } from "#app/domain/catalog/edit/states/transitions.server.ts";
import { findTotals } from "#app/domain/catalog/media/counts.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { creators } from "#db/schema/catalog.ts";
import { prices } from "#db/schema/prices.ts";
import { liftRateLimits } from "#tests/support/database/lift-rate-limits.ts";
import { createCreator, createVideo, HOST, type TestMedia } from "#tests/support/media.ts";
import { createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";

const DAY_MS = 24 * 3_600_000;

let site: Site;
let reader: string;
let publisher: string;
let video: TestMedia;
let title: string;
let creatorId: string;

beforeAll(async () => {
  await liftRateLimits();
  site = await startSite({ dataDir: config.dataDir });
  publisher = await signedInCookie((await createMember({ role: "publisher" })).id);
});
afterAll(() => site.stop());

beforeEach(async () => {
  const { id } = await createMember();
  await subscribe(id);
  reader = await signedInCookie(id);
  title = `Quartz ${id.slice(0, 8)}`;
  creatorId = (await createCreator()).id;
  const publishAt = new Date(Date.now() - 3 * DAY_MS);
  video = await createVideo({ title, creators: [creatorId], publishAt, withFiles: true });
  await createVideo({ title: "Newer", publishAt: new Date(Date.now() - DAY_MS) });
  await post(paths.api.favorites(), { mediaId: video.id });
  await post(paths.api.views(), { mediaId: video.id, progress: "60" });
});

const look = (path: string, cookie = reader) => site.fetch(path, { headers: { cookie } });
const read = async (path: string) => (await look(path)).text();
const post = (path: string, fields: Record<string, string>) =>
  site.fetch(path, {
    method: "POST",
    headers: { cookie: reader, origin: site.origin },
    body: new URLSearchParams(fields),
  });

const byte = () => paths.mediaFile(video.id, "video-360.mp4");

/** All that a subscriber who has seen and kept the item meets of it. */
async function met() {
  const page = paths.media("video", video.slug);
  const shortId = video.slug.split("-").at(-1) ?? "";
  const [favorites, history] = [await read(paths.favorites()), await read(paths.history())];
  return {
    page: (await look(page)).status,
    oldAddress: (await look(paths.media("video", `another-name-${shortId}`))).status,
    video: (await look(byte())).status,
    cover: (await look(paths.mediaFile(video.id, "cover-480.webp"))).status,
    progress: (await post(paths.api.views(), { mediaId: video.id, progress: "90" })).status,
    favorite: (await post(paths.api.favorites(), { mediaId: video.id, isFavorited: "true" })).status,
    isKept: favorites.includes(title),
    isInHistory: history.includes(title),
    hasTombstones: favorites.includes("No longer available") && history.includes("No longer available"),
    isContinued: continueRow(await read(paths.home())).includes(title),
    isListed: (await read(paths.list("video"))).includes(title),
    isFound: (await read(paths.list("video", { q: "quartz", exact: 1 }))).includes(video.slug),
  };
}

/** The newest items of the same page are a second old at most. */
const continueRow = (home: string) => /<h2>Continue<.*?<\/section>/s.exec(home)?.[0] ?? "";

const OPEN = {
  ...{ page: 200, oldAddress: 301, video: 200, cover: 200, progress: 200, favorite: 200 },
  ...{ isKept: true, isInHistory: true, hasTombstones: false },
  ...{ isContinued: true, isListed: true, isFound: true },
};
const UNSEEN = {
  isKept: false,
  isInHistory: false,
  hasTombstones: true,
  isContinued: false,
  isListed: false,
  isFound: false,
};
const HIDDEN = {
  ...{ page: 404, oldAddress: 404, video: 404, cover: 404, progress: 404, favorite: 404 },
  ...UNSEEN,
};
/** Forms are answered alike for what is hidden, gone or unknown. */
const GONE = { ...HIDDEN, page: 410, oldAddress: 410, video: 410, cover: 410 };

test("a hidden item does not exist for a subscriber, and returns to its place once it is shown", async () => {
  expect(await met()).toEqual(OPEN);
  await changeState(HOST, video.id, "hide");
  expect(await met()).toEqual(HIDDEN);
  await expect.poll(() => read(paths.home())).not.toContain(title);
  await changeState(HOST, video.id, "show");
  expect(await met()).toEqual(OPEN);
  const list = await read(paths.list("video"));
  expect(list.indexOf("Newer")).toBeLessThan(list.indexOf(title));
});

test("an item that is a draft or scheduled does not exist for a subscriber", async () => {
  await changeState(HOST, video.id, "makeDraft");
  expect(await met()).toEqual(HIDDEN);
  await changeState(HOST, video.id, "schedule", { publishAt: new Date(Date.now() + DAY_MS) });
  expect(await met()).toEqual(HIDDEN);
});

test("an item that was taken down is gone, and returns to its place once it is brought back", async () => {
  await changeState(HOST, video.id, "takeDown", { reason: "A complaint" });
  expect(await met()).toEqual(GONE);
  await changeState(HOST, video.id, "bringBack");
  expect(await met()).toEqual(OPEN);
});

test("the studio names the state and the date that an item comes back to, before it is brought back", async () => {
  const day = (offset: number) => new Date(Date.now() + offset * DAY_MS);
  const text = (date: Date) => formatZoneDate(date, config.timeZone);
  const plan = async (leave: "hide" | "takeDown", date: Date) => {
    const { id } = await createVideo({ status: "draft" });
    await changeState(HOST, id, "schedule", { publishAt: day(1) });
    await changeState(HOST, id, leave, { reason: "A performer has withdrawn consent" });
    await db.execute(sql`UPDATE media SET publish_at = ${date.toISOString()} WHERE id = ${id}`);
    return id;
  };
  const studio = async (path: string) =>
    (await (await look(path, publisher)).text()).replaceAll("<!-- -->", "");
  for (const [leave, change] of [
    ["hide", "state:show"],
    ["takeDown", "state:bringBack"],
  ] as const) {
    const [missed, planned] = [await plan(leave, day(-1)), await plan(leave, day(2))];
    expect(await studio(paths.studioItem(missed))).toMatch(
      new RegExp(
        `Bring it back: it will be a draft, because its scheduled date has passed: \\w+, ${text(day(-1))}`,
      ),
    );
    expect(await studio(paths.studioItem(planned))).toMatch(
      new RegExp(`Bring it back: it will be scheduled again for \\w+, ${text(day(2))}`),
    );
    const query = new URLSearchParams({ change });
    for (const id of [missed, planned]) query.append("id", id);
    const preview = await studio(`${paths.studioBulk()}?${query}`);
    expect(preview).toMatch(/→ Draft, because its date has passed: \d+ \w+ \d{4}, \d\d:\d\d/);
    expect(preview).toMatch(/→ Scheduled for \d+ \w+ \d{4}, \d\d:\d\d/);
  }
  const { id } = await createVideo();
  await changeState(HOST, id, "hide");
  expect(await studio(paths.studioItem(id))).toContain("Bring it back: it will be published again.");
  await changeState(HOST, id, "takeDown", { reason: "A complaint" });
  expect(await studio(paths.studioItem(id))).toContain("Bring it back: it will be hidden again.");
});

test("the overview of an item for subscribers says that nobody can subscribe, until there is a plan", async () => {
  const { id } = await createVideo({ status: "draft", access: "subscriber" });
  const page = async () => (await look(paths.studioItem(id), publisher)).text();
  const sentence = "nobody can subscribe yet";
  expect(await page()).not.toContain(sentence);
  const offered = await db.update(prices).set({ active: false }).where(eq(prices.active, true)).returning();
  try {
    expect(await page()).toContain(sentence);
    await db.execute(sql`UPDATE media SET access = 'member' WHERE id = ${id}`);
    expect(await page()).not.toContain(sentence);
  } finally {
    const ids = offered.map((price) => price.id);
    await db.update(prices).set({ active: true }).where(inArray(prices.id, ids));
  }
});

test("an item with problems is published or scheduled only with a tick that says so", async () => {
  const { id } = await createVideo({ status: "draft", creators: [creatorId] });
  const headers = { cookie: publisher, origin: site.origin };
  const send = (fields: Record<string, string>) =>
    site.fetch(paths.studioItemForm(id), {
      ...{ method: "POST", headers },
      body: new URLSearchParams(fields),
    });
  const missing = "The production date is missing. The video has audio but no captions.";
  const planned = { intent: "schedule", publishAt: "2099-01-01T10:00" };
  const forms: Record<string, string>[] = [{ intent: "publish" }, planned];
  for (const fields of forms) {
    const page = await (await look(paths.studioItem(id), publisher)).text();
    expect(page).toContain("Publish it anyway");
    expect(page).toContain("Schedule it anyway");
    const refused = await send(fields);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain(
      `${missing} Fix this first, or tick the box to ${fields.intent} it anyway.`,
    );
    expect((await send({ ...fields, confirm: "yes" })).status).toBe(303);
    await changeState(HOST, id, "makeDraft");
  }
  const preview = await look(
    `${paths.studioBulk()}?${new URLSearchParams({ change: "state:publish", id })}`,
    publisher,
  );
  expect(await preview.text()).toContain(missing);
  await db.execute(sql`UPDATE media SET produced_on = '2026-01-01' WHERE id = ${id}`);
  await db.execute(sql`UPDATE videos SET has_audio = false WHERE media_id = ${id}`);
  expect(await (await look(paths.studioItem(id), publisher)).text()).not.toContain("it anyway");
  expect((await send({ intent: "publish" })).status).toBe(303);
});

test("a deleted item is gone for good, and its files are no longer stored", async () => {
  await changeState(HOST, video.id, "takeDown", { reason: "A complaint" });
  await db.execute(sql`UPDATE media SET taken_down_at = now() - interval '31 days' WHERE id = ${video.id}`);
  await changeState(HOST, video.id, "delete");
  // Its files have no rows any more.
  expect(await met()).toEqual({ ...GONE, video: 404, cover: 404 });
});

test("a bulk change hides items like single changes, and shows them again in their places", async () => {
  const other = await createVideo({ title: `${title} too`, creators: [creatorId] });
  const change = async (transition: "hide" | "show") => {
    const ids = [video.id, other.id];
    expect((await confirmBulk(HOST, { ids }, { kind: "state", transition })).problem).toBeNull();
  };
  const counted = async () => (await findTotals()).videos;
  const before = await counted();
  expect([await met(), await worksOf(creatorId)]).toEqual([OPEN, 2]);
  await change("hide");
  expect([await met(), await worksOf(creatorId), await counted()]).toEqual([HIDDEN, 0, before - 2]);
  await change("show");
  expect([await met(), await worksOf(creatorId), await counted()]).toEqual([OPEN, 2, before]);
});

test("a bulk change of access applies to the next page and byte, and keeps everything else", async () => {
  const member = await signedInCookie((await createMember()).id);
  const statuses = async () => [
    (await look(byte(), member)).status,
    (await read(paths.list("video", { access: "member" }))).includes(title),
  ];
  expect(await statuses()).toEqual([403, false]);
  const change = { kind: "access", access: "member" } as const;
  expect((await confirmBulk(HOST, { ids: [video.id] }, change)).problem).toBeNull();
  await expect.poll(statuses).toEqual([200, true]);
  expect([await met(), await worksOf(creatorId)]).toEqual([OPEN, 1]);
});

async function worksOf(id: string): Promise<number | undefined> {
  const [row] = await db.select({ videos: creators.videoCount }).from(creators).where(eq(creators.id, id));
  return row?.videos;
}

test("staff see and watch unpublished items, and nobody an item that was taken down", async () => {
  const page = paths.media("video", video.slug);
  const seen = async () => [(await look(page, publisher)).status, (await look(byte(), publisher)).status];
  for (const name of ["hide", "makeDraft", "publish"] as const) {
    await changeState(HOST, video.id, name);
    expect(await seen()).toEqual([200, 200]);
  }
  await changeState(HOST, video.id, "takeDown", { reason: "A complaint" });
  expect(await seen()).toEqual([410, 410]);
});
