import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { POSTER_LONG_SIDE } from "#app/domain/media/renditions.ts";
import { paths } from "#app/paths.ts";
import { load, type Target, type Throughput, throughputText, warmUp } from "./load/load.ts";
import { cookiesOf } from "./pages.ts";
import { median } from "./report/figures.ts";
import type { BenchOptions, Report } from "./report/report.ts";
import { end, start } from "./site/programs.ts";
import { type Library, startWeb } from "./site/site.ts";

const run = promisify(execFile);

const RUNNER_GOAL = 1.05;
const SITE_GOAL = 0.8;
const TURNS = { full: 5, quick: 2 };
/** Each takes four minutes. */
const VIDEO_TURNS = { full: 3, quick: 1 };
const LOAD_SECONDS = 3;
/** Checks and starts of programs cost the same three seconds for a video of any length; this one is a short video of a real site. */
const VIDEO = { size: "1280x720", seconds: 120 };
/** The part that is drawn, which a longer video repeats: drawing takes longer than copying. */
const DRAWN_SECONDS = 20;
/** Its largest size takes longer than a turn, and each turn begins it anew. Longer ones only take longer to save. */
const LONG_VIDEO = { size: "1920x1080", seconds: 60 };
const AT_ONCE = 2;
const POLL_MS = 100;
const MADE_WITHIN_MS = 300_000;

/** Compares the making of a video with the bare commands of ffmpeg, and the site beside two encodings with the site alone. */
export async function benchEncoding(library: Library, options: BenchOptions, report: Report): Promise<void> {
  const turns = options.isQuick ? TURNS.quick : TURNS.full;
  const folder = await mkdtemp(join(library.folder, "encoding-"));
  await compareWithBare(folder, options.isQuick ? VIDEO_TURNS.quick : VIDEO_TURNS.full, report);
  await compareSite(library, folder, { turns, report });
}

async function compareWithBare(folder: string, turns: number, report: Report): Promise<void> {
  const { config } = await import("#app/config.server.ts");
  const { saveVideo, workOff } = await import("#tests/media/support/encoded.ts");
  const { queueAgain } = await import("./site/videos.ts");
  const { ffmpeg } = config.media;
  const log = join(folder, "commands");
  const recorder = join(folder, "recorder");
  await writeFile(
    recorder,
    `#!/bin/sh\nprintf '%s\\0' "$@" >> ${log}; printf '\\0' >> ${log}\nexec "${ffmpeg}" "$@"\n`,
  );
  await chmod(recorder, 0o700);
  const id = await saveVideo(await draw(folder, "film.mp4", VIDEO));
  config.media.ffmpeg = recorder;
  await workOff();
  config.media.ffmpeg = ffmpeg;
  const commands = (await readFile(log, "utf8")).split("\0\0").map((one) => one.split("\0"));
  const bare: number[] = [];
  const made: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    bare.push(
      await secondsOf(() =>
        replay(
          commands.filter(({ length }) => length > 1),
          folder,
          ffmpeg,
        ),
      ),
    );
    await queueAgain(id);
    made.push(await secondsOf(workOff));
  }
  const ratio = median(made.map((seconds, turn) => seconds / (bare[turn] ?? Number.NaN)));
  report({
    name: "making a video",
    figure: `${median(made).toFixed(1)} s for ${VIDEO.seconds} s of 720p`,
    reference: `bare ffmpeg and sharp ${median(bare).toFixed(1)} s`,
    ratio,
    goal: `<= ${RUNNER_GOAL.toFixed(2)}`,
    isMet: ratio <= RUNNER_GOAL,
  });
}

/**
 * Runs what the runner ran, with the files that it made as sources, into a folder of its own. Pictures that ffmpeg cuts are
 * looked at and made smaller by the picture library, which is as bare as ffmpeg.
 */
async function replay(commands: string[][], folder: string, ffmpeg: string): Promise<void> {
  const target = join(folder, "bare");
  await rm(target, { recursive: true, force: true });
  await mkdir(target);
  for (const command of commands) {
    const args = command.map((part) => part.replace(/[^:]*\/\.incoming\/[^/]+/, target));
    const child = spawn("nice", ["-n", "15", ffmpeg, ...args], { stdio: "ignore", cwd: target });
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`ffmpeg ended with ${code}: ${args.join(" ")}`);
  }
  const { encodeStill, lookAt } = await import("#app/domain/media/video/stills.server.ts");
  const pictures = await readdir(target);
  for (const name of pictures.filter((each) => each.startsWith("look-"))) await lookAt(join(target, name));
  // One candidate of each part.
  await Promise.all(
    pictures
      .filter((each) => /^look-\d+-0\.png$/.test(each))
      .map((name) => encodeStill(join(target, name), POSTER_LONG_SIDE)),
  );
  for (const name of pictures.filter((each) => each.startsWith("sheet-")))
    await encodeStill(join(target, name), null);
}

async function compareSite(
  library: Library,
  folder: string,
  { turns, report }: { turns: number; report: Report },
): Promise<void> {
  const { saveVideo } = await import("#tests/media/support/encoded.ts");
  const { runEncodingStep } = await import("#app/domain/catalog/encoding/run-step.server.ts");
  await saveVideo(await draw(folder, "long.mp4", LONG_VIDEO));
  // A worker that stops begins its step anew, and each turn would wait until it has read the source.
  const never = new AbortController().signal;
  await runEncodingStep(1, { stopping: never, lost: never });
  const site = await startWeb(library);
  try {
    const target: Target = {
      ...site,
      requestsOf: (connection) =>
        cookiesOf(library, connection).map((cookie) => ({ path: paths.home(), headers: { cookie } })),
    };
    await warmUp(target);
    const alone: Throughput[] = [];
    const beside: Throughput[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      alone.push(await load(target, LOAD_SECONDS));
      const worker = start(["build/scripts/worker.js"], library.env({ ENCODING_JOBS: String(AT_ONCE) }));
      await untilTwoSizesAreMade(library, worker);
      beside.push(await load(target, LOAD_SECONDS));
      await end(worker);
    }
    const share = median(
      beside.map(({ perSecond }, turn) => perSecond / (alone[turn]?.perSecond ?? Number.NaN)),
    );
    const middle = (of: Throughput[]) => ({
      perSecond: median(of.map(({ perSecond }) => perSecond)),
      cpuMs: median(of.map(({ cpuMs }) => cpuMs)),
    });
    report({
      name: "the home page beside two encodings",
      figure: throughputText(middle(beside)),
      reference: `alone ${throughputText(middle(alone))}`,
      ratio: share,
      goal: `>= ${SITE_GOAL}`,
      isMet: share >= SITE_GOAL,
    });
  } finally {
    await site.stop();
  }
}

/** Reading a source takes less of the processors than making a size does. */
async function untilTwoSizesAreMade({ sql }: Library, worker: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + MADE_WITHIN_MS; ; await sleep(POLL_MS)) {
    const running = await sql`SELECT FROM media_work WHERE state = 'running' AND step LIKE 'rung-%'`;
    if (running.length === AT_ONCE) return;
    if (worker.exitCode !== null || worker.signalCode !== null) throw new Error("the worker has ended");
    if (Date.now() > deadline) throw new Error("the worker did not make two sizes at once");
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1000;
}

async function draw(folder: string, name: string, { size, seconds }: typeof VIDEO): Promise<string> {
  const path = join(folder, name);
  const picture = ["-f", "lavfi", "-i", `testsrc2=s=${size}:r=25:d=${Math.min(seconds, DRAWN_SECONDS)}`];
  const audio = ["-f", "lavfi", "-i", `sine=f=440:d=${Math.min(seconds, DRAWN_SECONDS)}`];
  const codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac"];
  const part = join(folder, `part-${name}`);
  await run("ffmpeg", ["-v", "error", "-y", ...picture, ...audio, ...codecs, part]);
  const times = Math.ceil(seconds / DRAWN_SECONDS) - 1;
  await run("ffmpeg", [
    "-v",
    "error",
    "-y",
    "-stream_loop",
    String(times),
    "-i",
    part,
    "-c",
    "copy",
    "-t",
    String(seconds),
    path,
  ]);
  return path;
}
