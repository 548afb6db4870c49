import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileNames } from "#app/domain/media/renditions.ts";
import { runFfmpeg } from "#app/domain/media/video/ffmpeg.server.ts";
import { makeHoverPreview } from "#app/domain/media/video/hover-preview.server.ts";
import { inspectVideo } from "#app/domain/media/video/inspect.server.ts";
import { inputArguments } from "#app/domain/media/video/probe.server.ts";
import { makeRung } from "#app/domain/media/video/rung.server.ts";
import { makeSprites } from "#app/domain/media/video/sprites.server.ts";
import { DEMO_DIR, DEMO_RUNGS, type DemoVideo } from "#demo/seed/read-catalogue.server.ts";

/** Small enough for a repository: these scenes are soft. */
const RATES = { crf: 27, ceiling: 400_000, buffer: 1, audioBits: 48_000 };
const TRAILER_SECONDS = 6;

/** Makes what a worker makes of a stored video, so that the demo needs no ffmpeg. */
export async function makeLadder({ key, hasTrailer }: DemoVideo): Promise<void> {
  const { signal } = new AbortController();
  const options = { signal };
  const target = join(DEMO_DIR, key);
  const folder = await mkdtemp(join(tmpdir(), "demo-ladder-"));
  const [largest] = DEMO_RUNGS;
  const path = join(target, fileNames.video(largest.height));
  try {
    const video = await inspectVideo(path, signal, { mayBeCopied: false });
    const read = { ...video, input: inputArguments(path, video.container) };
    for (const { width, height, codecs } of DEMO_RUNGS) {
      const name = fileNames.rung(height);
      const rung = { ...RATES, width, height, size: height };
      const made = await makeRung(folder, name, read, { ...options, rung, gain: 0 });
      if (made.codecs !== codecs) throw new Error(`${key} has ${made.codecs}`);
      await copyFile(made.path, join(target, name));
      await writeFile(join(target, fileNames.rungPlaylist(height)), made.playlist);
    }
    const rung = { path: join(target, fileNames.rung(largest.height)), seconds: video.seconds };
    const sized = { ...rung, ...largest };
    const { sheets, vtt } = await makeSprites(folder, sized, { ...options, nameOf: fileNames.sprite });
    for (const [index, { data }] of sheets.entries()) {
      await writeFile(join(target, fileNames.sprite(index + 1)), data);
    }
    await writeFile(join(target, fileNames.spriteTimes()), vtt);
    await makeHoverPreview(join(target, fileNames.hover()), rung, options);
    if (hasTrailer) await makeTrailer(target, rung, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeTrailer(
  target: string,
  { path, seconds }: { path: string; seconds: number },
  signal: AbortSignal,
): Promise<void> {
  const trailer = join(target, fileNames.trailer());
  const start = (seconds - TRAILER_SECONDS) / 2;
  const range = ["-ss", start.toFixed(1), "-t", String(TRAILER_SECONDS)];
  const codecs = ["-c:v", "libx264", "-crf", "27", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "48k"];
  const output = ["-map_metadata", "-1", "-movflags", "+faststart", "-y", `file:${trailer}`];
  await runFfmpeg([...range, ...inputArguments(path), ...codecs, ...output], seconds, { signal });
  const made = { path: trailer, seconds: TRAILER_SECONDS };
  await makeHoverPreview(join(target, fileNames.trailerHover()), made, { signal });
}
