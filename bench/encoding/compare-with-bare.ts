import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { POSTER_LONG_SIDE } from "#app/domain/media/renditions.ts";
import { median } from "../report/figures.ts";
import type { Report } from "../report/report.ts";
import { recordFfmpeg } from "./record-ffmpeg.ts";
import { draw } from "./source-videos.ts";

const GOAL = 1.05;
/** Checks and starts of programs cost the same three seconds for a video of any length; this one is a short video of a real site. */
const VIDEO = { size: "1280x720", seconds: 120 };

/** The making of a video, against the bare commands of ffmpeg. */
export async function compareWithBare(
  name: string,
  folder: string,
  { turns, report }: { turns: number; report: Report },
): Promise<void> {
  const { config } = await import("#app/config.server.ts");
  const { saveVideo, workOff } = await import("#tests/media/support/encoded.ts");
  const { queueAgain } = await import("../site/videos.ts");
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
    name,
    figure: `${median(made).toFixed(1)} s for ${VIDEO.seconds} s of 720p`,
    reference: `bare ffmpeg and sharp ${median(bare).toFixed(1)} s`,
    ratio,
    goal: `<= ${GOAL.toFixed(2)}`,
    isMet: ratio <= GOAL,
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

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1000;
}
