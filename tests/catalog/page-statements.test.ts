import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parseFilters } from "#app/domain/catalog/lists/list-filters.ts";
import { listMedia } from "#app/domain/catalog/lists/list-media.server.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { favorites } from "#db/schema/favorites.ts";
import { views } from "#db/schema/viewing.ts";
import { type StatementCounter, startStatementCounter } from "../support/database/statement-counter.ts";
import { createCreator, createPhotoSet, createVideo } from "../support/media.ts";
import {
  adultCookie,
  createMember,
  lastSeenAt,
  signedInCookie,
  subscribe,
  UNTIL_NOTED,
} from "../support/people.ts";
import { type Site, startSite } from "../support/site.ts";

const STATEMENTS_LIMIT = 3;
/** One page and one more item. */
const OF_EACH_TYPE = 25;

let site: Site;
let statements: StatementCounter;
let visitor: string;
let member: string;
/** The values of the placeholders in braces in the paths below. */
let values: Record<string, string>;

beforeAll(async () => {
  const { id, slug } = await createCreator({ name: "Ann" });
  const { id: userId } = await createMember();
  await subscribe(userId);
  const given = { creators: [id], tags: ["Slow light"], access: "subscriber" as const };
  for (let index = 0; index < OF_EACH_TYPE; index += 1) {
    const video = await createVideo({ title: `Silk ${index}`, ...given });
    const set = await createPhotoSet({ title: `Linen ${index}`, ...given });
    await db.insert(favorites).values([video, set].map((work) => ({ userId, mediaId: work.id })));
    await db.insert(views).values({ userId, mediaId: video.id, progress: 600, completedAt: new Date() });
  }
  const { next } = await listMedia("video", parseFilters(new URLSearchParams()));
  if (!next) throw new Error("There is no second page");
  values = { ann: slug, after: next, ...(await newestSlugs()) };
  visitor = await adultCookie();
  member = await signedInCookie(userId);
  statements = await startStatementCounter(process.env.DATABASE_URL ?? "");
  site = await startSite({ databaseUrl: statements.url });
  await site.fetch("/", { headers: { cookie: member } });
  await vi.waitUntil(() => lastSeenAt(userId), UNTIL_NOTED);
});
afterAll(async () => {
  await site.stop();
  statements.stop();
});

async function newestSlugs(): Promise<{ video: string; set: string }> {
  const video = await createVideo({ title: "Silk", tags: ["Slow light"], access: "free", withFiles: true });
  const download = { access: "free", allowDownload: true } as const;
  const set = await createPhotoSet({ title: "Linen", tags: ["Slow light"], ...download });
  return { video: video.slug, set: set.slug };
}

async function countFor(path: string, cookie: string): Promise<number> {
  await db.delete(rateLimits);
  statements.take();
  const answer = await site.fetch(path, { headers: { cookie } });
  // A card, an entry of the favorites, or the own devices.
  expect(await answer.text()).toMatch(/<article|id="devices"/);
  return statements.take().statements;
}

/** Counts the same for an address that redirects. */
async function countLeading(path: string, cookie: string): Promise<number> {
  await db.delete(rateLimits);
  statements.take();
  const answer = await site.fetch(path, { headers: { cookie }, redirect: "manual" });
  expect(answer.headers.get("location")).toContain("q=silk");
  return statements.take().statements;
}

/** Visitors' pages are cached for a second. */
function pastSharedSecond(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1_100));
}

async function countWarm(path: string, cookie: string): Promise<number> {
  const filled = path.replace(/\{(\w+)\}/, (_, name: string) => values[name] ?? "");
  // Warms up connections and the data cached for a minute, such as the names of the filters.
  for (let times = 0; times < 3; times += 1) await countFor(filled, cookie);
  if (cookie === visitor) await pastSharedSecond();
  return countFor(filled, cookie);
}

async function expectFew(path: string, cookie: string): Promise<void> {
  const count = await countWarm(path, cookie);
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(STATEMENTS_LIMIT);
}

test.each([
  "/content/video",
  "/content/video?after={after}",
  "/content/video?sort=title",
  "/content/video?sort=most-watched&tag=slow-light",
  "/content/video?creator={ann}&tag=slow-light",
  "/content/video?access=subscriber&length=medium",
  "/content/video?creator={ann}&access=subscriber",
  "/content/photoSet",
  "/content/photoSet?tag=slow-light&sort=oldest",
  "/content/video?q=silk",
  "/content/video?q=silk+light&access=subscriber",
  "/content/photoSet?q=linen",
  // The redirect target of a mistyped search.
  "/content/video?q=silk&typed=slik",
  "/creators?q=ann",
  "/creators",
  "/creators?sort=name",
  "/creators/{ann}",
  "/creators/{ann}?tab=photos",
  "/",
  "/content/video/{video}",
  "/content/photoSet/{set}",
])("%s needs few statements for every viewer", async (path) => {
  for (const cookie of [visitor, member]) {
    await expectFew(path, cookie);
  }
});

test.each([
  "/content/video?seen=seen",
  "/content/photoSet?seen=unseen",
  "/user/favorites",
  "/user/favorites?type=video&sort=title",
  "/user/favorites?q=silk",
  "/user/history",
  "/user/account",
])("%s needs few statements", (path) => expectFew(path, member));

test.each(["slik", "slik+light"])(
  "a search for %s needs few statements to find the corrected words",
  async (words) => {
    for (const cookie of [visitor, member]) {
      const path = `/content/video?q=${words}`;
      for (let times = 0; times < 3; times += 1) await countLeading(path, cookie);
      if (cookie === visitor) await pastSharedSecond();
      expect(await countLeading(path, cookie)).toBeLessThanOrEqual(STATEMENTS_LIMIT);
    }
  },
);

test("visitors in the same second share one read of the database", async () => {
  await countFor("/content/video?sort=oldest", visitor);
  expect(await countFor("/content/video?sort=oldest", visitor)).toBe(0);
});
