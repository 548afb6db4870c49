import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
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
/** As a camera stores it: too much to be copied. Noise fills its rate. */
const CAMERA_VIDEO = { size: "1920x1080", rate: 30, bits: "60M" };
const CAMERA_SECONDS = { full: 60, quick: 10 };
const IMPORT_GOAL = 0.45;
const FIRST_SIZES_GOAL = 1.5;
const LADDER_GOAL = 1.2;
const POLL_MS = 100;
const MADE_WITHIN_MS = 300_000;
/** Of /proc. */
const TICKS_PER_SECOND = 100;

const FIGURES = { video: "making a video", ladder: "ladder", site: "the site beside" };

export function encodingNames(): string[] {
  return Object.values(FIGURES);
}

/** Compares the making of a video with the bare commands of ffmpeg, and the site beside two encodings with the site alone. */
export async function benchEncoding(library: Library, options: BenchOptions, report: Report): Promise<void> {
  const turns = options.isQuick ? TURNS.quick : TURNS.full;
  const folder = await mkdtemp(join(library.folder, "encoding-"));
  const isWanted = (name: string) => options.only.length === 0 || options.only.includes(name);
  if (isWanted(FIGURES.video))
    await compareWithBare(folder, options.isQuick ? VIDEO_TURNS.quick : VIDEO_TURNS.full, report);
  if (isWanted(FIGURES.ladder)) await compareLadder(library, folder, options.isQuick, report);
  if (isWanted(FIGURES.site)) await compareSite(library, folder, { turns, report });
}

async function compareWithBare(folder: string, turns: number, report: Report): Promise<void> {
  const { config } = await import("#app/config.server.ts");
  const { saveVideo, workOff } = await import("#tests/media/support/encoded.ts");
  const { queueAgain } = await import("./site/videos.ts");
  const { recorder, readCommands, ffmpeg } = await recordFfmpeg(join(folder, "film"));
  const id = await saveVideo(await draw(folder, "film.mp4", VIDEO));
  config.media.ffmpeg = recorder;
  await workOff();
  config.media.ffmpeg = ffmpeg;
  const commands = await readCommands();
  const bare: number[] = [];
  const made: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    bare.push(await secondsOf(() => replay(commands, folder, ffmpeg)));
    await queueAgain(id);
    made.push(await secondsOf(workOff));
  }
  const ratio = median(made.map((seconds, turn) => seconds / (bare[turn] ?? Number.NaN)));
  report({
    name: FIGURES.video,
    figure: `${median(made).toFixed(1)} s for ${VIDEO.seconds} s of 720p`,
    reference: `bare ffmpeg and sharp ${median(bare).toFixed(1)} s`,
    ratio,
    goal: `<= ${RUNNER_GOAL.toFixed(2)}`,
    isMet: ratio <= RUNNER_GOAL,
  });
}

/** A program that stands in for ffmpeg and writes down its arguments. */
async function recordFfmpeg(name: string) {
  const { ffmpeg } = (await import("#app/config.server.ts")).config.media;
  const [log, recorder] = [`${name}-commands`, `${name}-recorder`];
  const record = `printf '%s\\0' "$@" >> ${log}; printf '\\0' >> ${log}`;
  await writeFile(recorder, `#!/bin/sh\n${record}\nexec "${ffmpeg}" "$@"\n`);
  await chmod(recorder, 0o700);
  const readCommands = async () => {
    const commands = (await readFile(log, "utf8")).split("\0\0").map((one) => one.split("\0"));
    return commands.filter(({ length }) => length > 1);
  };
  return { ffmpeg, recorder, readCommands };
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

/** From an upload to its ladder, against one ffmpeg that decodes once and makes the same sizes. */
async function compareLadder(
  library: Library,
  folder: string,
  isQuick: boolean,
  report: Report,
): Promise<void> {
  const { saveVideo } = await import("#tests/media/support/encoded.ts");
  const { runEncodingStep } = await import("#app/domain/catalog/encoding/run-step.server.ts");
  const { runFfmpeg } = await import("#app/domain/media/video/ffmpeg.server.ts");
  const { config } = await import("#app/config.server.ts");
  const seconds = isQuick ? CAMERA_SECONDS.quick : CAMERA_SECONDS.full;
  const drawn = await drawCamera(folder, seconds);
  const never = new AbortController().signal;
  const times: { imported: Took; first: Took; ladder: Took; bare: Took }[] = [];
  for (let turn = 0; turn < (isQuick ? VIDEO_TURNS.quick : VIDEO_TURNS.full); turn += 1) {
    const path = join(folder, `camera-${turn}.mp4`);
    await ffmpeg("-i", drawn, "-c", "copy", "-metadata", `comment=${turn}`, path);
    const { recorder, readCommands, ffmpeg: real } = await recordFfmpeg(join(folder, `camera-${turn}`));
    config.media.ffmpeg = recorder;
    const from = take();
    const id = await saveVideo(path);
    const imported = from();
    const afterImport = take();
    let first: Took | null = null;
    for (;;) {
      const shown = await library.sql`SELECT FROM media_files WHERE media_id = ${id} AND name IN
        ('rung-360.m3u8', 'rung-480.m3u8', 'rung-720.m3u8', 'rung-1080.m3u8')`;
      if (shown.length >= 3) first ??= from();
      if (shown.length === 4) break;
      await runEncodingStep(1, { stopping: never, lost: never });
    }
    const ladder = afterImport();
    config.media.ffmpeg = real;
    const target = await mkdtemp(join(folder, "bare-"));
    const bare = take();
    await runFfmpeg(asOne(await readCommands()), seconds, { folder: target });
    times.push({ imported, first: first ?? ladder, ladder, bare: bare() });
    // The rest of its files is not measured here.
    await library.sql`DELETE FROM media_encodings WHERE media_id = ${id}`;
  }
  const of = (kind: keyof (typeof times)[number]) => ({
    seconds: median(times.map((each) => each[kind].seconds)),
    cpu: median(times.map((each) => each[kind].cpu)),
  });
  const text = (took: Took) => `${took.seconds.toFixed(1)} s, ${took.cpu.toFixed(1)} s CPU`;
  const length = `a video of ${seconds} s, 60 Mbit/s`;
  for (const [name, kind, goal] of [
    ["the import", "imported", IMPORT_GOAL],
    ["sizes up to 720 are shown", "first", FIRST_SIZES_GOAL],
  ] as const) {
    const ratio = of(kind).seconds / seconds;
    const isMet = ratio <= goal;
    report({ name, figure: text(of(kind)), reference: length, ratio, goal: `<= ${goal}`, isMet });
  }
  const ratio = median(times.map(({ ladder, bare }) => ladder.seconds / bare.seconds));
  report({
    name: "the ladder, after the import",
    figure: text(of("ladder")),
    reference: `one ffmpeg ${text(of("bare"))}`,
    ratio,
    goal: `<= ${LADDER_GOAL}`,
    isMet: ratio <= LADDER_GOAL,
  });
}

interface Took {
  seconds: number;
  /** Of this process and its programs. */
  cpu: number;
}

function take(): () => Took {
  const ticks = () =>
    readFileSync("/proc/self/stat", "utf8")
      .replace(/.*\) /s, "")
      .split(" ")
      .slice(11, 15)
      .reduce((sum, each) => sum + Number(each), 0);
  const [from, before] = [performance.now(), ticks()];
  return () => ({ seconds: (performance.now() - from) / 1000, cpu: (ticks() - before) / TICKS_PER_SECOND });
}

/** The outputs of all commands that made a size, behind the input of the first. */
function asOne(commands: string[][]): string[] {
  const sizes = commands.filter((args) => args.includes("hls"));
  const outputFrom = (args: string[]) => args.lastIndexOf("-i") + 2;
  const [first = []] = sizes;
  return [
    ...first.slice(0, outputFrom(first)),
    ...sizes.flatMap((args) =>
      args.slice(outputFrom(args)).filter((each, at, all) => !isProgress(each, all[at - 1])),
    ),
  ];
}

function isProgress(argument: string, before: string | undefined): boolean {
  return argument === "-progress" || before === "-progress";
}

async function drawCamera(folder: string, seconds: number): Promise<string> {
  const { size, rate, bits } = CAMERA_VIDEO;
  const [part, path] = [join(folder, "camera-part.mp4"), join(folder, "camera.mp4")];
  const drawn = Math.min(seconds, 10);
  await ffmpeg(
    ...["-f", "lavfi", "-i", `testsrc2=s=${size}:r=${rate}:d=${drawn},noise=alls=35:allf=t`],
    ...["-f", "lavfi", "-i", `sine=f=440:d=${drawn}`, "-c:v", "libx264", "-preset", "ultrafast"],
    ...["-b:v", bits, "-minrate", bits, "-maxrate", bits, "-bufsize", "30M", "-pix_fmt", "yuv420p"],
    ...["-c:a", "aac", part],
  );
  await ffmpeg("-stream_loop", String(Math.ceil(seconds / drawn) - 1), "-i", part, "-c", "copy", path);
  return path;
}

async function ffmpeg(...args: string[]): Promise<void> {
  await run("ffmpeg", ["-v", "error", "-y", ...args]);
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
    const running = await sql`
      SELECT DISTINCT claimed_by FROM media_work WHERE state = 'running' AND step LIKE 'rung-%'`;
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
  await ffmpeg(...picture, ...audio, ...codecs, part);
  const times = Math.ceil(seconds / DRAWN_SECONDS) - 1;
  await ffmpeg("-stream_loop", String(times), "-i", part, "-c", "copy", "-t", String(seconds), path);
  return path;
}
