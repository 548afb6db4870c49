import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readJournal } from "#db/migrations/journal.ts";
import { createVideo } from "#tests/support/media.ts";
import { adultCookie, createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { environment, failure } from "#tests/support/process/failing-start.ts";
import { endProcess, REAL_DATABASE_LIMIT, type Site, startSite } from "#tests/support/site.ts";
import { LockWatch, type Migration } from "#tests/support/upgrade/lock-watch.ts";
import { makeRelease, type Release } from "#tests/support/upgrade/release.ts";
import { during, type LoadRequest, SteadyLoad } from "#tests/support/upgrade/steady-load.ts";
import { isFullLength, reportFigures } from "./support/figures.ts";

/** A short run shares its machine, so its clients wait for slow answers and so does the site for its database. */
const PACE = isFullLength ? { perSecond: 40 } : { clients: 2 };
const SITE_ENV: Record<string, string> = isFullLength ? REAL_DATABASE_LIMIT : {};
const BASE_MS = isFullLength ? 20_000 : 2_000;
const BLOCKED_MS = isFullLength ? 30_000 : 1_500;
const MEMBERS = 12;
const VIDEOS = 24;
const BATCH = 5;
const WARMING = isFullLength ? 40 : 10;
const DATABASE_URL = process.env.DATABASE_URL ?? "";

const journal = await readJournal();
const present = journal.at(-1)?.tag ?? "";
const [expand, index, contract] = ["hue", "hue_index", "contract"].map(
  (word, at) => `${String(journal.length + at).padStart(4, "0")}_${word}`,
) as [string, string, string];

const EXPAND = `-- Oldest build: ${present}
ALTER TABLE "media" ADD COLUMN "hue" text;`;
const INDEX = `-- Oldest build: ${present}
-- Without a transaction
DROP INDEX CONCURRENTLY IF EXISTS "media_hue";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "media_hue" ON "media" ("hue");`;
/** An earlier release has left this column. The present build does not use it, so it plays the next one, too. */
const LEFT_BEHIND = 'ALTER TABLE "subscriptions" ADD COLUMN "tint" text';
const CONTRACT = `-- Oldest build: ${index}
ALTER TABLE "subscriptions" DROP COLUMN "tint";`;

let next: Release;
let afterNext: Release;
let requests: LoadRequest[];
const sites: Site[] = [];
const watch = new LockWatch(DATABASE_URL);

beforeAll(async () => {
  next = await makeRelease([
    [expand, EXPAND],
    [index, INDEX],
  ]);
  afterNext = await makeRelease([
    [expand, EXPAND],
    [index, INDEX],
    [contract, CONTRACT],
  ]);
  requests = await makeRequests();
  await watch.sql.unsafe(LEFT_BEHIND);
});
afterAll(async () => {
  for (const site of sites) await site.stop();
  await watch.stop();
  for (const release of [next, afterNext]) await release?.remove();
});

test("X6: a site is upgraded under load without a failed request, and the build before runs on its schema", async () => {
  const old = await start();
  const load = new SteadyLoad(requests, PACE);
  load.useOnly(old.origin);
  const base = await during(BASE_MS);

  const startedAt = performance.now();
  watch.start();
  const expanded = await watch.whileBlocked("media", BLOCKED_MS, () => migrate(next));
  expect(expanded).toMatchObject({ code: 0, hasWaited: true });

  // A rollback: the build before starts on the new schema, and migrates nothing.
  expect(await failure({ DATABASE_URL }, ["build/scripts/migrate.js"])).toMatchObject({ code: 0 });
  const rolledBack = await start(undefined, 1);
  const current = await start(next.folder);
  load.useOnly(old.origin, current.origin, rolledBack.origin);
  while (await fillBatch()) await during(100);
  load.useOnly(current.origin);
  await load.settle();
  for (const site of [old, rolledBack]) await endProcess(site.process);

  const contracted = await watch.whileBlocked("subscriptions", BLOCKED_MS, () => migrate(afterNext));
  expect(contracted).toMatchObject({ code: 0, hasWaited: true });
  await during(500);
  const endedAt = performance.now();
  await load.stop();

  // The release before still runs and may still start; the one before it is refused.
  expect(await migrate(next).ended).toMatchObject({ code: 0 });
  const refused = await failure({ DATABASE_URL }, ["build/scripts/web.js"]);
  expect(refused).toEqual({ code: 1, lines: [expect.stringContaining(`(migration ${contract})`)] });
  expect(load.failures()).toEqual([]);
  const baseP99 = load.p99(base.from, base.to);
  const p99 = load.p99(startedAt, endedAt);
  reportFigures("X6", {
    // At full length the two waits alone take a minute.
    requests: { is: load.count(startedAt, endedAt), atLeast: isFullLength ? 1_500 : 10 },
    failedRequests: { is: load.failures().length, exactly: 0 },
    longestLockWaitMs: { is: watch.longestWaitMs, atMost: 500 },
    // A short run on a busy machine measures the machine.
    ...(isFullLength ? { p99TimesBase: { is: p99 / baseP99, atMost: 3 } } : {}),
  });
}, 600_000);

async function start(cwd?: string, processes = 2): Promise<Site> {
  const data = { databaseUrl: DATABASE_URL, dataDir: process.env.DATA_DIR };
  const site = await startSite({ ...data, env: SITE_ENV, processes, cwd });
  sites.push(site);
  // The first answers of a process take longest.
  for (const { path, init } of requests.slice(0, WARMING)) {
    if (init?.method !== "POST") await (await site.fetch(path, init)).arrayBuffer();
  }
  return site;
}

function migrate({ folder }: Release): Migration {
  const child = spawn(process.execPath, ["build/scripts/migrate.js"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: environment({ DATABASE_URL, DATA_DIR: process.env.DATA_DIR ?? "" }),
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const ended = once(child, "close").then(([code]) => ({ code, output }));
  return { ended, hasWaited: () => output.includes("waits until other transactions end") };
}

/** Fills the new column as a job would; returns whether rows are left. */
async function fillBatch(): Promise<boolean> {
  const filled = await watch.sql`UPDATE media SET hue = 'blue'
    WHERE id IN (SELECT id FROM media WHERE hue IS NULL LIMIT ${BATCH})`;
  return filled.count === BATCH;
}

/** Six of ten show pages, two take part of a file, one favors, one opens the account. */
async function makeRequests(): Promise<LoadRequest[]> {
  const videos = await Promise.all(Array.from({ length: VIDEOS }, () => createVideo({ withFiles: true })));
  const adult = { headers: { cookie: await adultCookie() } };
  const made: LoadRequest[] = [];
  for (let member = 0; member < MEMBERS; member += 1) {
    const { id } = await createMember();
    await subscribe(id);
    const cookie = await signedInCookie(id);
    const video = videos[member];
    if (!video) throw new Error("A member has no video");
    const page = `/content/video/${video.slug}`;
    const file = `/media/${video.id}/video-360.mp4`;
    const signedIn = { headers: { cookie } };
    const range = { headers: { cookie, range: "bytes=0-9" } };
    const body = new URLSearchParams({ mediaId: video.id, isFavorited: "true" });
    made.push(
      { path: "/", init: adult },
      { path: page, init: signedIn },
      { path: file, init: range },
      { path: "/content/video", init: adult },
      { path: page, init: adult },
      { path: "/api/favorites", init: { method: "POST", body, headers: { cookie } } },
      { path: "/", init: signedIn },
      { path: file, init: range },
      { path: "/content/video", init: signedIn },
      { path: "/user/account", init: signedIn },
    );
  }
  return made;
}
