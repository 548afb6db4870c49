import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { findFreePort } from "#db/server/embedded.ts";
import { requireNginx } from "#scripts/build/programs.mjs";
import { processorMs } from "#tests/support/process/process-figures.ts";
import { descendants } from "#tests/support/process/process-tree.ts";
import { median } from "./report/figures.ts";
import type { BenchOptions, Report } from "./report/report.ts";
import { end, start, startProgram, untilReady } from "./site/programs.ts";
import type { Library } from "./site/site.ts";
import { compareUnkeptPage } from "./unkept-page.ts";

const TURNS = { full: 5, quick: 2 };
const DOWNLOAD_GOAL = 0.9;
const PLAYED_GOAL = 0.5;
/** A card of 1 Gbit/s. */
const CARD_MEGABYTES_PER_SECOND = 125;
const START_GOAL_MS = 3_000;
const STARTS = 3;
/** A player waits for the end of a part. The kernel holds an incomplete packet back for 200 ms when it may. */
const PART = "0-99999";
const PART_GOAL_MS = 50;
const VIDEO_BYTES = 2_000_000_000;
const VIDEO_KEY = "media/bench/video-720.mp4";

/**
 * Compares the site behind its nginx with a plain nginx that sends the same bytes to anybody, in turns, and measures
 * the start.
 */
export async function benchFront(library: Library, options: BenchOptions, report: Report): Promise<void> {
  requireNginx();
  const origin = `http://127.0.0.1:${await findFreePort()}`;
  const plainOrigin = `http://127.0.0.1:${await findFreePort()}`;
  const video = await addVideo(library);
  const starts: number[] = [];
  for (let turn = 0; turn < STARTS; turn += 1) {
    const site = await startWhole(library, origin, { FRONT: "nginx" });
    starts.push(site.ms);
    if (turn === STARTS - 1) await compareAll(site.pid).finally(site.stop);
    else await site.stop();
  }
  report({
    name: "start behind nginx",
    figure: starts.map((ms) => `${ms.toFixed(0)} ms`).join(", "),
    reference: "",
    ratio: null,
    goal: `<= ${START_GOAL_MS} ms`,
    isMet: median(starts) <= START_GOAL_MS,
  });

  async function compareAll(pid: number) {
    await compareWithPlain(pid);
    const direct = `http://127.0.0.1:${await findFreePort()}`;
    const withoutFront = await startWhole(library, direct);
    await compareUnkeptPage(library, { front: origin, direct }, options, report).finally(withoutFront.stop);
  }

  async function compareWithPlain(pid: number) {
    const plain = await startPlain(library, plainOrigin);
    try {
      compareDownload(`${video.path}?download`);
      comparePart(video.path);
      reportPlayed(video.path, pid);
    } finally {
      await end(plain);
    }
  }

  /** The share of a processor that the site and its nginx need for videos at the full rate of a network card. */
  function reportPlayed(path: string, pid: number): void {
    const programs = [pid, ...descendants(pid).map((program) => program.pid)];
    const processor = () => programs.reduce((sum, one) => sum + processorMs(one), 0);
    const shares = Array.from({ length: options.isQuick ? TURNS.quick : TURNS.full }, () => {
      const before = processor();
      megabytesPerSecond(origin + path, library.visitor);
      return ((processor() - before) / 1000 / (VIDEO_BYTES / 1e6)) * CARD_MEGABYTES_PER_SECOND;
    });
    report({
      name: "videos played at 125 MB/s",
      figure: `${(100 * median(shares)).toFixed(0)} % of a processor`,
      reference: "",
      ratio: null,
      goal: `<= ${100 * PLAYED_GOAL} %`,
      isMet: median(shares) <= PLAYED_GOAL,
    });
  }

  function comparePart(path: string): void {
    const medianOf = (url: string) =>
      median(Array.from({ length: TURNS.full }, () => sendingMs(url, library.visitor)));
    const figure = medianOf(origin + path);
    report({
      name: "part of a video",
      figure: `${figure.toFixed(1)} ms from first to last byte`,
      reference: `plain nginx ${medianOf(`${plainOrigin}/video.mp4`).toFixed(1)} ms`,
      ratio: null,
      goal: `<= ${PART_GOAL_MS} ms`,
      isMet: figure <= PART_GOAL_MS,
    });
  }

  function compareDownload(path: string): void {
    const found: Record<"site" | "plain", number[]> = { site: [], plain: [] };
    for (let turn = 0; turn < (options.isQuick ? TURNS.quick : TURNS.full); turn += 1) {
      found.plain.push(megabytesPerSecond(`${plainOrigin}/video.mp4`, library.visitor));
      found.site.push(megabytesPerSecond(origin + path, library.visitor));
    }
    const share = median(found.site.map((value, turn) => value / (found.plain[turn] ?? Number.NaN)));
    report({
      name: "download",
      figure: `${median(found.site).toFixed(0)} MB/s`,
      reference: `plain nginx ${median(found.plain).toFixed(0)} MB/s`,
      ratio: share,
      goal: `>= ${DOWNLOAD_GOAL}`,
      isMet: share >= DOWNLOAD_GOAL,
    });
  }
}

/** How long after its first byte the last one arrives. */
function sendingMs(url: string, cookie: string): number {
  const written = "%{time_starttransfer} %{time_total} %{http_code}";
  const args = ["-sf", "-o", "/dev/null", "-r", PART, "-w", written, "-H", `Cookie: ${cookie}`, url];
  const [first = Number.NaN, last = Number.NaN, status] = spawnSync("curl", args, { encoding: "utf8" })
    .stdout.split(" ")
    .map(Number);
  if (status !== 206) throw new Error(`The part of the video was answered with ${status}`);
  return (last - first) * 1000;
}

function megabytesPerSecond(url: string, cookie: string): number {
  const written = "%{size_download} %{speed_download}";
  const args = ["-sf", "-o", "/dev/null", "-w", written, "-H", `Cookie: ${cookie}`, url];
  const [bytes, speed] = spawnSync("curl", args, { encoding: "utf8" }).stdout.split(" ").map(Number);
  if (bytes !== VIDEO_BYTES) throw new Error(`${bytes} bytes of the video arrived`);
  return (speed ?? 0) / 1e6;
}

/** Starts the site as its container or `npm start` does. `ms` is the time until it is ready. */
async function startWhole(library: Library, origin: string, settings: Record<string, string> = {}) {
  const begun = performance.now();
  const site = start(
    ["build/scripts/supervise.js"],
    library.env({ PORT: new URL(origin).port, DATABASE_URL: library.adminUrl, ...settings }),
  );
  await untilReady(`${origin}/readyz`);
  return { ms: performance.now() - begun, pid: site.pid ?? 0, stop: () => end(site) };
}

/** An nginx that knows no visitor, with the settings that matter for speed as in the site's own. */
async function startPlain({ folder }: Library, origin: string) {
  const run = join(folder, "plain");
  mkdirSync(run, { recursive: true });
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (one) => `${one}_temp_path ${run}/${one};`,
  );
  writeFileSync(
    join(run, "nginx.conf"),
    `daemon off; pid ${run}/pid; worker_processes ${Math.min(availableParallelism(), 4)};
     ${process.getuid?.() === 0 ? "user root;" : ""}
     events { worker_connections 4096; }
     http { sendfile on; tcp_nopush on; access_log off; ${paths.join(" ")} keepalive_requests 10000;
       server { listen ${new URL(origin).host} reuseport; root ${run};
         location = /ready { return 200; }
         location = /video.mp4 { alias ${join(folder, "media", VIDEO_KEY)}; } } }`,
  );
  const args = ["-e", "stderr", "-p", run, "-c", join(run, "nginx.conf")];
  const nginx = startProgram("/usr/sbin/nginx", args);
  await untilReady(`${origin}/ready`);
  return nginx;
}

/** A free video, larger than what the demo has. */
async function addVideo({ folder, sql }: Library): Promise<{ id: string; path: string }> {
  const id = randomUUID();
  const file = join(folder, "media", VIDEO_KEY);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "");
  truncateSync(file, VIDEO_BYTES);
  const media = {
    id,
    type: "video",
    status: "published",
    publish_at: new Date(),
    access: "free",
    allow_download: true,
    title: "Long",
    short_id: id.slice(0, 8),
  };
  await sql`INSERT INTO media ${sql({ ...media, slug: `long-${id}` })}`;
  const stored = {
    storage_key: VIDEO_KEY,
    content_type: "video/mp4",
    bytes: VIDEO_BYTES,
    sha256: "0".repeat(64),
    crc32: 0,
  };
  await sql`INSERT INTO media_files ${sql({ media_id: id, name: "video-720.mp4", needs: "view", ...stored })}`;
  return { id, path: `/media/${id}/video-720.mp4` };
}
