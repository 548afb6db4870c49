import { randomBytes, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "#db/server/embedded.ts";
import { processorMs } from "#tests/support/process/process-figures.ts";
import { descendants } from "#tests/support/process/process-tree.ts";
import { startEngine } from "#tests/support/store/engine.ts";
import { Browser } from "./load/browser.ts";
import { median } from "./report/figures.ts";
import type { BenchOptions, Report } from "./report/report.ts";
import { listMediaPaths } from "./site/catalogue.ts";
import { end, start, untilReady } from "./site/programs.ts";
import type { Library } from "./site/site.ts";

const POSTERS = 1_000;
const QUICK_POSTERS = 300;
const PARTS = 40;
const PART_BYTES = 8 * 1024 * 1024;
const VIDEO_BYTES = 8 * PART_BYTES;
const TURNS = 5;
const REMEMBERED_MS = 6_000;
const AT_ONCE = 4;
const MAX_PROCESSOR_RATIO = 1.5;
const MAX_FIRST_BYTE_RATIO = 2;

interface Place {
  name: "folder" | "store";
  origin: string;
  /** Of the web process and of nginx. */
  pids: number[];
  stop(): Promise<void>;
}

/** Sends posters and parts of a video through nginx from the folder, then from an object store. */
export async function benchStore(library: Library, { isQuick }: BenchOptions, report: Report): Promise<void> {
  const engine = await startEngine();
  const places: Place[] = [];
  try {
    const video = await addVideo(library);
    const settings = await engine.bucket();
    const keys = await copyToStore(library, settings);
    places.push(await startPlace(library, "folder", {}), await startPlace(library, "store", settings));
    const { posters } = await listMediaPaths(library);
    const ways = [
      {
        name: "a poster",
        most: MAX_PROCESSOR_RATIO,
        count: isQuick ? QUICK_POSTERS : POSTERS,
        paths: posters,
        headers: () => ({}),
      },
      {
        name: "8 MB of a video",
        most: null,
        count: PARTS,
        paths: [video],
        headers: (index: number) => rangeOf(index % (VIDEO_BYTES / PART_BYTES)),
      },
    ];
    for (const way of ways) await compareProcessors(library, places, way, report);
    await compareWithStore(library, places, { settings, key: keys[0] ?? "", posters, video }, report);
  } finally {
    for (const place of places) await place.stop();
    await engine.stop();
  }
}

interface Way {
  name: string;
  /** Of the folder's processor time; null without a goal. */
  most: number | null;
  count: number;
  paths: string[];
  headers: (index: number) => Record<string, string>;
}

async function compareProcessors(library: Library, places: Place[], way: Way, report: Report): Promise<void> {
  const used = new Map<string, number[]>(places.map(({ name }) => [name, []]));
  for (const { name, origin, pids } of places) {
    await placeAll(library, name);
    const sum = () => pids.reduce((total, pid) => total + processorMs(pid), 0);
    for (let turn = 0; turn <= TURNS; turn += 1) {
      const before = sum();
      await fetchAll(library, origin, way);
      // The first turn warms up.
      if (turn > 0) used.get(name)?.push((sum() - before) / way.count);
    }
  }
  const [folder = [], store = []] = [used.get("folder"), used.get("store")];
  const ratio = median(store.map((ms, turn) => ms / (folder[turn] ?? Number.NaN)));
  report({
    name: `store: processor of ${way.name}`,
    figure: `${median(store).toFixed(2)} ms`,
    reference: `folder ${median(folder).toFixed(2)} ms`,
    ratio,
    goal: way.most === null ? "" : `<= ${way.most} x`,
    isMet: way.most === null || ratio <= way.most,
  });
}

/** Both sites have one database. A process remembers for five seconds where a file is. */
async function placeAll({ sql }: Library, storage: Place["name"]): Promise<void> {
  await sql`UPDATE media_files SET storage = ${storage}`;
  await sleep(REMEMBERED_MS);
}

async function fetchAll(library: Library, origin: string, { count, paths, headers }: Way): Promise<void> {
  const waiting = Array.from({ length: count }, (_, index) => index);
  const one = async () => {
    const browser = new Browser(origin, nextCookie(library));
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop())
      await browser.get(paths[index % paths.length] ?? "", headers(index));
    browser.close();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

interface Asked {
  settings: Record<string, string>;
  key: string;
  posters: string[];
  video: string;
}

/** One request at a time: the time to the whole of a small file is that to its first byte. */
async function compareWithStore(
  library: Library,
  places: Place[],
  { settings, key, posters, video }: Asked,
  report: Report,
): Promise<void> {
  const { storageFrom } = await import("#tests/support/store/storage-from.ts");
  const storage = storageFrom(settings);
  const origin = places.find(({ name }) => name === "store")?.origin ?? "";
  const browser = new Browser(origin, nextCookie(library));
  const direct = new Browser(settings.S3_ENDPOINT ?? "", "");
  const signed = async (storageKey: string) => {
    const { pathname, search } = new URL((await storage.addressOf(storageKey))?.url ?? "");
    return pathname + search;
  };
  const times = { site: [] as number[], store: [] as number[] };
  const timed = async (all: number[], ask: () => Promise<unknown>) => {
    const begun = performance.now();
    await ask();
    all.push(performance.now() - begun);
  };
  for (let index = 0; index < 200; index += 1) {
    const path = await signed(key);
    await timed(times.store, () => direct.get(path));
    await timed(times.site, () => browser.get(posters[index % posters.length] ?? ""));
  }
  const ratio = median(times.site) / median(times.store);
  report({
    name: "store: first byte of a poster",
    figure: `${median(times.site).toFixed(1)} ms`,
    reference: `the store itself ${median(times.store).toFixed(1)} ms`,
    ratio,
    goal: `<= ${MAX_FIRST_BYTE_RATIO} x`,
    isMet: ratio <= MAX_FIRST_BYTE_RATIO,
  });
  const parts = { site: [] as number[], store: [] as number[] };
  const videoKey = video.replace(/^\//, "");
  for (let index = 0; index < PARTS; index += 1) {
    const headers = rangeOf(index % (VIDEO_BYTES / PART_BYTES));
    const path = await signed(videoKey);
    await timed(parts.store, () => direct.get(path, headers));
    await timed(parts.site, () => browser.get(video, headers));
  }
  browser.close();
  direct.close();
  const rate = (all: number[]) => PART_BYTES / 1_000 / median(all);
  report({
    name: "store: bytes of a video",
    figure: `${rate(parts.site).toFixed(0)} MB/s`,
    reference: `the store itself ${rate(parts.store).toFixed(0)} MB/s`,
    ratio: rate(parts.site) / rate(parts.store),
    goal: "",
    isMet: true,
  });
}

/** A whole site, because nginx's settings are part of its build. */
async function startPlace(
  library: Library,
  name: Place["name"],
  env: Record<string, string>,
): Promise<Place> {
  const port = await findFreePort();
  const settings = { PORT: String(port), FRONT: "nginx", WEB_PROCESSES: "1", ENCODING_JOBS: "0", ...env };
  const child = start(["build/scripts/supervise.js"], library.env(settings));
  const origin = `http://127.0.0.1:${port}`;
  await untilReady(`${origin}/healthz`);
  const sending = descendants(child.pid ?? 0).filter(({ command }) =>
    /^nginx|remix-run\/serve/.test(command),
  );
  return { name, origin, pids: sending.map(({ pid }) => pid), stop: () => end(child) };
}

/** A video of noise, because the demo's are short. Returns its path. */
async function addVideo({ sql, folder }: Library): Promise<string> {
  const { localStorage } = await import("#app/domain/media/storage/local.server.ts");
  const [{ id = "" } = {}] = await sql<{ id: string }[]>`
    SELECT id FROM media WHERE type = 'video' AND status = 'published' AND publish_at <= now() LIMIT 1`;
  const name = `video-${randomUUID().slice(0, 8)}.mp4`;
  const storageKey = `media/${id}/${name}`;
  const stored = await localStorage(join(folder, "media")).put(storageKey, randomBytes(VIDEO_BYTES));
  await sql`INSERT INTO media_files (media_id, name, storage_key, content_type, bytes, sha256, crc32, needs)
    VALUES (${id}, ${name}, ${storageKey}, 'video/mp4', ${stored.bytes}, ${stored.sha256}, ${stored.crc32}, 'view')`;
  return `/media/${id}/${name}`;
}

/** Returns the keys of the posters. */
async function copyToStore({ sql, folder }: Library, settings: Record<string, string>): Promise<string[]> {
  const { storageFrom } = await import("#tests/support/store/storage-from.ts");
  const storage = storageFrom(settings);
  const rows = await sql<
    { key: string; name: string }[]
  >`SELECT DISTINCT storage_key AS key, name FROM media_files`;
  for (const { key } of rows) await storage.put(key, createReadStream(join(folder, "media", key)));
  return rows.filter(({ name }) => name === "cover-480.avif").map(({ key }) => key);
}

function rangeOf(part: number): Record<string, string> {
  return { range: `bytes=${part * PART_BYTES}-${(part + 1) * PART_BYTES - 1}` };
}

let next = 0;

function nextCookie({ subscribers }: Library): string {
  next = (next + 1) % subscribers.length;
  return subscribers[next]?.cookie ?? "";
}
