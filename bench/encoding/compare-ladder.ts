import { readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { median } from "../report/figures.ts";
import type { Report } from "../report/report.ts";
import type { Library } from "../site/site.ts";
import { recordFfmpeg } from "./record-ffmpeg.ts";
import { ffmpeg } from "./source-videos.ts";

/** As a camera stores it: too much to be copied. Noise fills its rate. */
const CAMERA_VIDEO = { size: "1920x1080", rate: 30, bits: "60M" };
const CAMERA_SECONDS = { full: 60, quick: 10 };
const IMPORT_GOAL = 0.45;
const FIRST_SIZES_GOAL = 1.5;
const LADDER_GOAL = 1.2;
/** Of /proc. */
const TICKS_PER_SECOND = 100;

/** From an upload to its ladder, against one ffmpeg that decodes once and makes the same sizes. */
export async function compareLadder(
  library: Library,
  folder: string,
  { isQuick, turns, report }: { isQuick: boolean; turns: number; report: Report },
): Promise<void> {
  const { saveVideo } = await import("#tests/media/support/encoded.ts");
  const { runEncodingStep } = await import("#app/domain/catalog/encoding/run-step.server.ts");
  const { runFfmpeg } = await import("#app/domain/media/video/ffmpeg.server.ts");
  const { config } = await import("#app/config.server.ts");
  const seconds = isQuick ? CAMERA_SECONDS.quick : CAMERA_SECONDS.full;
  const drawn = await drawCamera(folder, seconds);
  const never = new AbortController().signal;
  const times: { imported: Took; first: Took; ladder: Took; bare: Took }[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
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
