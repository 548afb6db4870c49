import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { paths } from "#app/paths.ts";
import { networkOf } from "#tests/support/browser/network.ts";
import { openChromium, visit } from "./load/chromium.ts";
import type { Report } from "./report/report.ts";
import { type Library, startWeb } from "./site/site.ts";

/** Noise needs all the bits that a size may have. */
const SOURCE = { width: 1280, lines: 720, seconds: 160 };
/** Seconds of the video between which the network is narrow. The part that was loaded before is played by its middle. */
const NARROW = { from: 5, until: 75 };
const WAYS = [
  { name: "hls.js", hasMediaSource: true, waits: 0, waitSeconds: 0 },
  { name: "native", hasMediaSource: false, waits: 3, waitSeconds: 6 },
];
const PLAYS_WITHIN_MS = 60_000;

interface Narrow {
  waits: number;
  waitSeconds: number;
  /** The lines of the picture: when the network gets narrow, the fewest since, and on a fast network again. */
  first: number;
  fewest: number;
  last: number;
}

/** Plays a video over a fast network, then over one that carries half of its largest size, then over a fast one again. */
export async function benchNarrowNetwork(library: Library, report: Report): Promise<void> {
  const browser = await openChromium();
  const { path, bytesPerSecond } = await addNoise(library);
  const site = await startWeb(library);
  try {
    for (const [index, way] of WAYS.entries()) {
      // Progress of the run before would begin this one at its end.
      const cookie = library.subscribers[index]?.cookie ?? "";
      const { waits, waitSeconds, first, fewest, last } = await play(way.hasMediaSource, cookie);
      report({
        name: `watching: half of the largest size's rate, ${way.name}`,
        figure: `${waits} waits, ${waitSeconds.toFixed(1)} s; ${first}, ${fewest}, ${last} lines`,
        ...{ reference: "", ratio: null },
        goal: `<= ${way.waits} waits, ${way.waitSeconds} s; fewer lines, then more`,
        isMet: waits <= way.waits && waitSeconds <= way.waitSeconds && fewest < SOURCE.lines && last > fewest,
      });
    }
  } finally {
    await browser.close();
    await site.stop();
  }

  async function play(hasMediaSource: boolean, cookie: string): Promise<Narrow> {
    const opened = await visit(browser, { origin: site.origin, cookie });
    const { page } = opened;
    try {
      if (!hasMediaSource)
        await page.addInitScript("delete window.MediaSource; delete window.ManagedMediaSource");
      const network = await networkOf(page);
      await page.goto(site.origin + path, { timeout: PLAYS_WITHIN_MS });
      await page.waitForFunction(
        () => /^blob:|\.m3u8/.test(document.querySelector("video")?.currentSrc ?? ""),
        null,
        {
          timeout: PLAYS_WITHIN_MS,
        },
      );
      await page.evaluate(watch);
      await untilPlayed(NARROW.from);
      const first = await lines();
      await network.slowDown(bytesPerSecond / 2);
      await untilPlayed(NARROW.until);
      const { waits, waitSeconds, fewest } = await page.evaluate(
        () => ({ ...document.documentElement.dataset }) as unknown as Narrow,
      );
      await network.slowDown(null);
      await page.waitForFunction(
        (few) => {
          const video = document.querySelector("video");
          return !video || video.ended || video.videoHeight > few;
        },
        Number(fewest),
        { timeout: PLAYS_WITHIN_MS + SOURCE.seconds * 1000 },
      );
      return {
        waits: Number(waits),
        waitSeconds: Number(waitSeconds),
        first,
        fewest: Number(fewest),
        last: await lines(),
      };
    } finally {
      await opened.close();
    }

    function lines(): Promise<number> {
      return page.evaluate(() => document.querySelector("video")?.videoHeight ?? 0);
    }
    async function untilPlayed(seconds: number): Promise<void> {
      await page.waitForFunction(
        (until) => (document.querySelector("video")?.currentTime ?? 0) >= until,
        seconds,
        {
          timeout: PLAYS_WITHIN_MS + seconds * 1000,
        },
      );
    }
  }
}

/** The bytes a second are the ceiling of the largest size. */
async function addNoise(library: Library): Promise<{ path: string; bytesPerSecond: number }> {
  const { saveVideo, workOff } = await import("#tests/media/support/encoded.ts");
  const folder = await mkdtemp(join(library.folder, "narrow-"));
  const source = join(folder, "film.mp4");
  const noise = `testsrc2=s=${SOURCE.width}x${SOURCE.lines}:r=25:d=${SOURCE.seconds},noise=alls=30:allf=t`;
  await promisify(execFile)("ffmpeg", [
    ...["-v", "error", "-f", "lavfi", "-i", noise, "-f", "lavfi", "-i", `sine=f=440:d=${SOURCE.seconds}`],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", source],
  ]);
  const id = await saveVideo(source);
  await workOff();
  const [video] = await library.sql<{ slug: string; bandwidth: number }[]>`
    SELECT m.slug, max(f.bandwidth)::float8 AS bandwidth FROM media m JOIN media_files f ON f.media_id = m.id
    WHERE m.id = ${id} GROUP BY m.slug`;
  if (!video) throw new Error("The video was not made");
  return { path: paths.media("video", video.slug), bytesPerSecond: video.bandwidth / 8 };
}

/** Runs in the page: plays, and counts what stops it after the first picture. */
function watch(): void {
  const video = document.querySelector("video");
  if (!video) throw new Error("The page has no video");
  const figures = document.documentElement.dataset;
  let [waits, waited, since, fewest] = [0, 0, 0, Number.POSITIVE_INFINITY];
  const report = () => {
    fewest = Math.min(fewest, video.videoHeight);
    Object.assign(figures, { waits, waitSeconds: waited / 1000, fewest });
  };
  video.addEventListener("waiting", () => {
    if (video.currentTime === 0 || since > 0) return;
    since = performance.now();
    waits += 1;
  });
  video.addEventListener("playing", () => {
    if (since > 0) waited += performance.now() - since;
    since = 0;
    report();
  });
  video.addEventListener("timeupdate", report);
  video.addEventListener("resize", report);
  video.muted = true;
  void video.play();
}
