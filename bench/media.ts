import type { Request } from "autocannon";
import { paths } from "#app/paths.ts";
import { Browser } from "./load/browser.ts";
import { compareThroughput, type Target, throughputText, warmUp } from "./load/load.ts";
import { cookiesOf } from "./pages.ts";
import { median } from "./report/figures.ts";
import type { BenchOptions, Report } from "./report/report.ts";
import { listMediaPaths } from "./site/catalogue.ts";
import { type Library, type RunningSite, startWeb } from "./site/site.ts";

const SHARE_GOAL = 0.6;
const FIRST_BYTE_GOAL_MS = 5;
const VIDEOS = 120;
const QUICK_VIDEOS = 40;
const VIDEOS_TO_WARM_UP = 20;
/** A person's browser asks for all files of a page, then the next person's does. */
const PEOPLE_PER_CONNECTION = 20;

/** Compares small media files with a health check of the same process, and times the first byte of videos. */
export async function benchMedia(library: Library, options: BenchOptions, report: Report): Promise<void> {
  const site = await startWeb(library);
  try {
    const { posters, photos, captions, videos } = await listMediaPaths(library);
    const health = targetOf(site, () => [{ path: paths.healthz() }]);
    const kinds = { poster: posters, photo: photos, caption: captions };
    await warmUp(filesTarget(library, site, posters), health);
    for (const [name, files] of Object.entries(kinds)) {
      const compared = await compareThroughput(filesTarget(library, site, files), health, options);
      report({
        name,
        figure: throughputText(compared.site),
        reference: `/healthz ${throughputText(compared.reference)}`,
        ratio: compared.share,
        goal: `>= ${SHARE_GOAL.toFixed(2)}`,
        isMet: compared.share >= SHARE_GOAL,
      });
    }
    await measureFirstByte(library, site, { videos, count: options.isQuick ? QUICK_VIDEOS : VIDEOS, report });
  } finally {
    await site.stop();
  }
}

function filesTarget(library: Library, site: RunningSite, files: string[]): Target {
  return targetOf(site, (connection) =>
    cookiesOf(library, connection)
      .slice(0, PEOPLE_PER_CONNECTION)
      .flatMap((cookie) => files.map((path) => ({ path, headers: { cookie } }))),
  );
}

function targetOf({ origin, pids }: RunningSite, requestsOf: (connection: number) => Request[]): Target {
  return { origin, pids, requestsOf };
}

/** Each video is the first of another subscriber, as the player asks for it. */
async function measureFirstByte(
  { subscribers }: Library,
  { origin }: RunningSite,
  { videos, count, report }: { videos: string[]; count: number; report: Report },
): Promise<void> {
  const times: { video: number; health: number }[] = [];
  for (const [index, { cookie }] of subscribers.slice(-count).entries()) {
    const browser = new Browser(origin, cookie);
    const { firstByteMs: health } = await browser.get(paths.healthz());
    const path = videos[index % videos.length] ?? "";
    const { firstByteMs: video } = await browser.get(path, { range: "bytes=0-" });
    browser.close();
    if (index >= VIDEOS_TO_WARM_UP) times.push({ video, health });
  }
  const video = median(times.map((time) => time.video));
  const health = median(times.map((time) => time.health));
  report({
    name: "first byte of a video",
    figure: `${video.toFixed(1)} ms`,
    reference: `/healthz ${health.toFixed(1)} ms`,
    ratio: video / health,
    goal: `<= ${FIRST_BYTE_GOAL_MS} ms`,
    isMet: video <= FIRST_BYTE_GOAL_MS,
  });
}
