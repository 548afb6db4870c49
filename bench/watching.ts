import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { fileNames } from "#app/domain/media/renditions.ts";
import { paths } from "#app/paths.ts";
import { startStatementCounter } from "#tests/support/database/statement-counter.ts";
import { processorMs } from "#tests/support/process/process-figures.ts";
import { Browser } from "./load/browser.ts";
import { type Network, openChromium, visit } from "./load/chromium.ts";
import { benchNarrowNetwork } from "./narrow-network.ts";
import { median } from "./report/figures.ts";
import type { BenchOptions, Report } from "./report/report.ts";
import { type Library, startWeb } from "./site/site.ts";

const TITLE = "Under the Skin of Water";
const TURNS = { full: 5, quick: 2 };
/** 1.6 Mbit/s. */
const SLOW: Network = { bytesPerSecond: 200_000, latencyMs: 150 };
const GOALS = { firstFrameMs: 400, slowFirstFrameMs: 2_500, seekMs: 500, earlyWaitsMs: 2_500 };
const VIDEO = /\/(video-|rung-|master|film\.mp4)/;
const SEEK_TO = 0.7;
const EARLY_MS = 8_000;
/** A minute of segments of four seconds, and a report of progress every ten. */
const MINUTE = { segments: 15, segmentMs: 4_000, reports: 6, statements: 30, processorMs: 150 };
const SIGNAL_MS = 100;

interface Played {
  firstFrameMs: number;
  seekMs: number;
  bytesBefore: number;
}

interface Early {
  firstFrameMs: number;
  /** After the first frame. */
  waitsMs: number;
}

/** Compares the watch page with a bare page that has the same MP4, in one Chromium and in turns. */
export async function benchWatching(
  library: Library,
  { isQuick }: BenchOptions,
  report: Report,
): Promise<void> {
  const turns = isQuick ? TURNS.quick : TURNS.full;
  const browser = await openChromium();
  const site = await startWeb(library);
  const [video] = await library.sql<{ slug: string }[]>`
    SELECT slug FROM media WHERE title = ${TITLE} ORDER BY publish_at DESC LIMIT 1`;
  const page = paths.media("video", video?.slug ?? "");
  const bare = await serveVideo(await readVideo(site.origin + page, library.subscribers[0]?.cookie ?? ""));
  try {
    for (const [name, network] of [
      ["", null],
      [", 1.6 Mbit/s", SLOW],
    ] as const) {
      const own: Played[] = [];
      const plain: Played[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        const cookie = library.subscribers[turn + 1]?.cookie;
        own.push(await play({ origin: site.origin, path: page, cookie, network, ready: "^blob:" }));
        plain.push(await play({ origin: bare.origin, path: "/", network, ready: "" }));
      }
      const goals = network ? { firstFrameMs: GOALS.slowFirstFrameMs } : GOALS;
      const row = (what: string, of: keyof Played, unit: string, goal?: number) => {
        const [figure, reference] = [own, plain].map((all) => median(all.map((played) => played[of])));
        report({
          name: `watching: ${what}${name}`,
          figure: `${figure?.toFixed(0)} ${unit}`,
          reference: `bare ${reference?.toFixed(0)} ${unit}`,
          ratio: (figure ?? Number.NaN) / (reference ?? Number.NaN),
          goal: goal ? `<= ${goal} ${unit}` : "",
          isMet: goal === undefined || (figure ?? Number.POSITIVE_INFINITY) <= goal,
        });
      };
      row("first frame", "firstFrameMs", "ms", goals.firstFrameMs);
      row("seek", "seekMs", "ms", network ? undefined : GOALS.seekMs);
      row("video before the click", "bytesBefore", "B");
    }
    await reportEarlyClick();
  } finally {
    await browser.close();
    bare.server.close();
    await site.stop();
  }
  await benchMinute(library, report);
  // It plays for minutes.
  if (!isQuick) await benchNarrowNetwork(library, report);

  /** The player of the page comes while its MP4 already loads. */
  async function reportEarlyClick() {
    const all: Early[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const cookie = library.subscribers[turn + 1]?.cookie;
      const opened = await visit(browser, { origin: site.origin, cookie, network: SLOW });
      await opened.page.goto(site.origin + page, { waitUntil: "domcontentloaded" });
      all.push(await opened.page.evaluate(earlyInPage, EARLY_MS));
      await opened.close();
    }
    const row = (what: string, of: keyof Early, goal: number) => {
      const figure = median(all.map((each) => each[of])) ?? Number.POSITIVE_INFINITY;
      report({
        ...{ name: `watching: ${what}, clicked at once, 1.6 Mbit/s`, figure: `${figure.toFixed(0)} ms` },
        ...{ reference: "", ratio: null, goal: `<= ${goal} ms`, isMet: figure <= goal },
      });
    };
    row("first frame", "firstFrameMs", GOALS.slowFirstFrameMs);
    row(`waits in ${EARLY_MS / 1000} s`, "waitsMs", GOALS.earlyWaitsMs);
  }

  async function play(at: {
    origin: string;
    path: string;
    cookie?: string;
    network: Network;
    ready: string;
  }) {
    const opened = await visit(browser, at);
    try {
      await opened.page.goto(at.origin + at.path);
      await opened.page.waitForFunction((ready) => {
        const video = document.querySelector("video");
        return video && new RegExp(ready).test(video.src) && video.readyState >= video.HAVE_METADATA;
      }, at.ready);
      // Loading ahead has its time, as while somebody reads the title.
      await opened.page.waitForLoadState("networkidle");
      const bytesBefore = opened.bytesOf(VIDEO);
      return { ...(await opened.page.evaluate(timesInPage, SEEK_TO)), bytesBefore };
    } finally {
      await opened.close();
    }
  }
}

/** Counts what a subscriber's player makes the site do, whose clock goes on with each segment. */
async function benchMinute(library: Library, report: Report): Promise<void> {
  const counter = await startStatementCounter(library.databaseUrl);
  const preload = pathToFileURL("tests/support/process/stepped-clock.mjs").href;
  const clock = { NODE_OPTIONS: `--import ${preload}`, CLOCK_STEP_MS: String(MINUTE.segmentMs) };
  const site = await startWeb(library, { env: { ...clock, DATABASE_URL: counter.url } });
  const viewer = new Browser(site.origin, library.subscribers[0]?.cookie ?? "");
  const [video] = await library.sql<{ id: string }[]>`
    SELECT id FROM media WHERE title = ${TITLE} ORDER BY publish_at DESC LIMIT 1`;
  const mediaId = video?.id ?? "";
  const pid = site.pids[0] ?? 0;
  const minute = async () => {
    for (let segment = 0; segment < MINUTE.segments; segment += 1) {
      for (const web of site.pids) process.kill(web, "SIGHUP");
      await sleep(SIGNAL_MS);
      const first = segment * 1_000;
      const range = `bytes=${first}-${first + 50_000}`;
      await viewer.get(paths.mediaFile(mediaId, fileNames.rung(360)), { range });
      const reports = Math.floor(((segment + 1) * MINUTE.reports) / MINUTE.segments);
      if (reports > Math.floor((segment * MINUTE.reports) / MINUTE.segments)) {
        await viewer.post(paths.api.views(), { mediaId, progress: String(segment) });
      }
    }
  };
  try {
    await minute();
    counter.take();
    const before = processorMs(pid);
    await minute();
    const used = processorMs(pid) - before;
    const { statements } = counter.take();
    const row = (name: string, figure: number, unit: string, goal: number) =>
      report({
        ...{ name: `watching: ${name} of a minute`, figure: `${figure}${unit}`, reference: "", ratio: null },
        ...{ goal: `<= ${goal}${unit}`, isMet: figure <= goal },
      });
    row("statements", statements, "", MINUTE.statements);
    row("processor time", used, " ms", MINUTE.processorMs);
  } finally {
    viewer.close();
    await site.stop();
    counter.stop();
  }
}

/** Runs in the page. A seek ends when the time moves on. */
async function timesInPage(seekTo: number): Promise<Omit<Played, "bytesBefore">> {
  const video = document.querySelector("video");
  if (!video) throw new Error("The page has no video");
  const untilMoved = async (from: number) => {
    const begun = performance.now();
    while (video.seeking || video.currentTime <= from) await new Promise(requestAnimationFrame);
    return performance.now() - begun;
  };
  video.muted = true;
  const begun = performance.now();
  const firstFrame = new Promise((resolve) => video.requestVideoFrameCallback(resolve));
  void video.play();
  await firstFrame;
  const firstFrameMs = performance.now() - begun;
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const target = video.duration * seekTo;
  video.currentTime = target;
  return { firstFrameMs, seekMs: await untilMoved(target) };
}

/** Runs in the page. */
async function earlyInPage(lastsMs: number): Promise<Early> {
  const video = document.querySelector("video");
  if (!video) throw new Error("The page has no video");
  video.muted = true;
  const begun = performance.now();
  // Its source may be replaced meanwhile.
  void video.play().catch(() => {});
  await new Promise((resolve) => video.requestVideoFrameCallback(resolve));
  const shownAt = performance.now();
  let moved = 0;
  let last = video.currentTime;
  while (performance.now() - shownAt < lastsMs) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    moved += Math.max(0, Math.min(0.2, video.currentTime - last));
    last = video.currentTime;
  }
  return { firstFrameMs: shownAt - begun, waitsMs: Math.max(0, lastsMs - moved * 1000) };
}

async function readVideo(page: string, cookie: string): Promise<Buffer> {
  const html = await (await fetch(page, { headers: { cookie } })).text();
  const source = /"(\/media\/[^"#]+\/video-\d+\.mp4)/.exec(html)?.[1];
  if (!source) throw new Error("The watch page names no MP4");
  return Buffer.from(await (await fetch(new URL(source, page), { headers: { cookie } })).arrayBuffer());
}

async function serveVideo(video: Buffer): Promise<{ origin: string; server: Server }> {
  const server = createServer((request, response) => {
    if (request.url !== "/film.mp4") {
      response.setHeader("Content-Type", "text/html");
      return response.end('<!doctype html><video controls preload="metadata" src="/film.mp4"></video>');
    }
    const [, from = "0", to = ""] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? "bytes=0-") ?? [];
    const last = Math.min(to ? Number(to) : video.length - 1, video.length - 1);
    const headers = { "Content-Range": `bytes ${from}-${last}/${video.length}`, "Accept-Ranges": "bytes" };
    response.writeHead(206, { ...headers, "Content-Type": "video/mp4" });
    return response.end(video.subarray(Number(from), last + 1));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
