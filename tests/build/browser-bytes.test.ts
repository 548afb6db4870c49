import { request } from "node:http";
import { afterAll, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { favorites } from "#db/schema/favorites.ts";
import { views } from "#db/schema/viewing.ts";
import {
  type Asset,
  assetsOfChunk,
  assetsOfRoutes,
  assetTable,
  BYTE_BUDGETS,
  importsIn,
  LIGHTBOX_BUDGETS,
  PLAYER_BUDGETS,
  totalOf,
} from "../support/browser-build.ts";
import { createCreator, createPhotoSet, createVideo } from "../support/media.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "../support/people.ts";
import { startSite } from "../support/site.ts";

const creator = await createCreator();
const works = [
  await createVideo({ creators: [creator.id], tags: ["Silk"] }),
  await createPhotoSet({ creators: [creator.id] }),
];
const { id: userId } = await createMember();
await subscribe(userId);
for (const { id: mediaId } of works) {
  await db.insert(favorites).values({ userId, mediaId });
  await db.insert(views).values({ userId, mediaId, progress: 4 });
}
const visitor = await adultCookie();
const member = await signedInCookie(userId);
const site = await startSite();
afterAll(() => site.stop());

/** The address of each list, with its route id in the build. */
const OPEN_LISTS: [string, string][] = [
  [paths.list("video"), "routes/content.$type._index"],
  [paths.list("photoSet"), "routes/content.$type._index"],
  [paths.creators(), "routes/creators._index"],
  [paths.creator(creator.slug), "routes/creators.$slug"],
];
const OWN_LISTS: [string, string][] = [
  [paths.favorites(), "routes/user.favorites"],
  [paths.history(), "routes/user.history"],
];
/** The routes that a list prefetches. */
const AHEAD = OPEN_LISTS.map(([, route]) => route);

test.each([...OPEN_LISTS, ...OWN_LISTS])(
  "by the build, %s and every list that it prefetches stay within the budget",
  (_, route) => {
    expectWithinBudget(assetsOfRoutes([...AHEAD, route]));
  },
);

test.each([
  ...OPEN_LISTS.map(([path]) => [path, "nobody", visitor] as const),
  ...[...OPEN_LISTS, ...OWN_LISTS].map(([path]) => [path, "a member", member] as const),
])("%s loads no more script and style than its budget for %s", async (path, _, cookie) => {
  const page = await site.fetch(path, { headers: { cookie } });
  expect(page.status).toBe(200);
  const loaded = await loadAll(assetsIn(await page.text()));
  expectWithinBudget(loaded);
});

test("the lightbox adds no more than its budget to the page of a set", () => {
  const page = assetsOfRoutes(["routes/content.photoSet.$slug._index"]);
  expectWithinBudget(assetsOfChunk("lightbox", page), LIGHTBOX_BUDGETS);
});

test.each([
  ["hls.light", PLAYER_BUDGETS.light],
  ["hls", PLAYER_BUDGETS.full],
])("a watch page adds no more than its budget to that of a list where it plays by %s", (build, budget) => {
  const list = assetsOfRoutes(["routes/content.$type._index"]);
  const watch = assetsOfRoutes(["routes/content.video.$slug"]);
  const isNew = ({ path }: Asset) => !list.some((each) => each.path === path);
  const before = [...list, ...watch];
  const added = ["media-source", build].flatMap((name) => assetsOfChunk(name, before));
  expectWithinBudget([...watch.filter(isNew), ...added], budget);
});

function expectWithinBudget(loaded: Asset[], budgets: Partial<typeof BYTE_BUDGETS> = BYTE_BUDGETS): void {
  for (const [kind, budget] of Object.entries(budgets)) {
    const files = loaded.filter(({ path }) => path.endsWith(`.${kind}`));
    expect(files.length, kind).toBeGreaterThan(0);
    expect(totalOf(files), assetTable(files)).toBeLessThanOrEqual(budget);
  }
}

/** The named files and all their transitive imports. */
async function loadAll(named: string[]): Promise<Asset[]> {
  const queue = new Set(named);
  const loaded: Asset[] = [];
  for (const path of queue) {
    loaded.push({ path, bytes: await bytesOnTheLine(path) });
    if (!path.endsWith(".js")) continue;
    for (const imported of importsIn(await (await site.fetch(path)).text(), path)) queue.add(imported);
  }
  return loaded;
}

/** The files that a tag or the page's start script loads. Other routes' files appear in its data but are not loaded. */
function assetsIn(html: string): string[] {
  const pattern = /(?:href="|src="|\bimport\s*[^"';]*")(\/assets\/[\w.$~-]+\.(?:js|css))"/g;
  return [...html.matchAll(pattern)].map(([, path = ""]) => path);
}

/** fetch() would count decompressed bytes. */
function bytesOnTheLine(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { "accept-encoding": "gzip, deflate, br" };
    const sent = request(new URL(path, site.origin), { headers }, async (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`${path}: ${answer.statusCode}`));
      let bytes = 0;
      for await (const chunk of answer) bytes += (chunk as Buffer).length;
      resolve(bytes);
    });
    sent.on("error", reject).end();
  });
}
