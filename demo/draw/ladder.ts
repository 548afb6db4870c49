import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileNames } from "#app/domain/media/renditions.ts";
import { runFfmpeg } from "#app/domain/media/video/ffmpeg.server.ts";
import { makeHoverPreview } from "#app/domain/media/video/hover-preview.server.ts";
import { inspectVideo } from "#app/domain/media/video/inspect.server.ts";
import { inputArguments } from "#app/domain/media/video/probe.server.ts";
import { remuxVideo } from "#app/domain/media/video/remux.server.ts";
import { makeRungs } from "#app/domain/media/video/rung.server.ts";
import { makeSprites } from "#app/domain/media/video/sprites.server.ts";
import {
  DEMO_DIR,
  DEMO_SIZES,
  type DemoVideo,
  isLarge,
  mp4Sizes,
  trailerRange,
} from "#demo/seed/read-catalogue.server.ts";

/** Small enough for a repository: these scenes are soft. */
const RATES = {
  1080: { crf: 30, ceiling: 1_000_000 },
  720: { crf: 29, ceiling: 600_000 },
  360: { crf: 27, ceiling: 400_000 },
  180: { crf: 27, ceiling: 400_000 },
};
const USUAL = { buffer: 1, audioBits: 48_000 };
const LARGEST_TRAILER = 720;

/** Makes what a worker makes of a stored video, so that the demo needs no ffmpeg. */
export async function makeLadder(entry: DemoVideo): Promise<void> {
  const { key, sizes } = entry;
  const { signal } = new AbortController();
  const options = { signal };
  const target = join(DEMO_DIR, key);
  const folder = await mkdtemp(join(tmpdir(), "demo-ladder-"));
  const rungs = sizes.map((size) => DEMO_SIZES[size]);
  const largest = DEMO_SIZES[sizes[0]];
  const path = join(target, fileNames.video(largest.height));
  try {
    const video = await inspectVideo(path, signal, { mayBeCopied: false });
    const read = { ...video, input: inputArguments(path, video.container) };
    const planned = rungs.map(({ width, height }) => {
      return { ...RATES[height], ...USUAL, width, height, size: height };
    });
    const { made } = await makeRungs(folder, read, { ...options, rungs: planned, gain: 0 });
    for (const [index, { height, codecs }] of rungs.entries()) {
      const file = made[index];
      if (file?.codecs !== codecs) throw new Error(`${key} has ${file?.codecs}`);
      await copyFile(file.path, join(target, fileNames.rung(height)));
      await writeFile(join(target, fileNames.rungPlaylist(height)), file.playlist);
    }
    if (isLarge(entry)) await replaceByRungs(target, mp4Sizes(entry), video.seconds);
    const rung = { path: join(target, fileNames.rung(largest.height)), seconds: video.seconds };
    const sized = { ...rung, ...largest };
    const { sheets, vtt } = await makeSprites(folder, sized, { ...options, nameOf: fileNames.sprite });
    for (const [index, { data }] of sheets.entries()) {
      await writeFile(join(target, fileNames.sprite(index + 1)), data);
    }
    await writeFile(join(target, fileNames.spriteTimes()), vtt);
    await makeHoverPreview(join(target, fileNames.hover()), rung, options);
    const shown = rungs.find(({ height }) => height <= LARGEST_TRAILER) ?? largest;
    if (entry.hasTrailer) await makeTrailer(join(target, fileNames.rung(shown.height)), entry);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The drawn video was the rungs' source, in a quality that is too large for the repository. */
async function replaceByRungs(folder: string, sizes: readonly number[], seconds: number) {
  for (const size of sizes) {
    const rung = join(folder, fileNames.rung(size));
    const options = { audio: null, seconds, signal: new AbortController().signal };
    await remuxVideo(rung, join(folder, fileNames.video(size)), options);
  }
}

async function makeTrailer(path: string, entry: DemoVideo): Promise<void> {
  const { signal } = new AbortController();
  const folder = dirname(path);
  const trailer = join(folder, fileNames.trailer());
  const { from, to } = trailerRange(entry);
  const seconds = to - from;
  const range = ["-ss", from.toFixed(1), "-t", String(seconds)];
  const codecs = ["-c:v", "libx264", "-crf", "27", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "48k"];
  const output = ["-map_metadata", "-1", "-movflags", "+faststart", "-y", `file:${trailer}`];
  await runFfmpeg([...range, ...inputArguments(path), ...codecs, ...output], seconds, { signal });
  const made = { path: trailer, seconds };
  await makeHoverPreview(join(folder, fileNames.trailerHover()), made, { signal });
}
