import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { inspectVideo } from "./inspect.server.ts";
import { planLadder } from "./ladder.ts";
import { findGain } from "./loudness.server.ts";
import { makeRungs } from "./rung.server.ts";

const MONO = ["sine=f=440:d=2", "anullsrc=r=44100:cl=mono:d=2"];
const inLast = (channels: number, layout = "") =>
  `aevalsrc='${"0|".repeat(channels - 1)}0.1*sin(440*2*PI*t)':d=2:s=48000${layout}`;
const AMBISONIC = ["-c:a", "libopus", "-mapping_family", "2"];

test.each([
  ["two mono tracks", MONO, [true, false]],
  ["nine channels", [inLast(9)], [true, true]],
  ["ambisonics of four channels", [inLast(4, ":c=ambisonic 1")], [true, true], AMBISONIC],
  ["ambisonics of nine channels", [inLast(9, ":c=ambisonic 2")], [true, true], AMBISONIC],
  ["ambisonics beside stereo", [inLast(6, ":c=ambisonic 1+stereo")], [true, true], AMBISONIC],
])(
  "%s are one stereo track of the ladder, as loud as others",
  { timeout: 120_000 },
  async (_, audio, heard, encoder: string[] = ["-c:a", "pcm_s16le"]) => {
    const folder = mkdtempSync(join(tmpdir(), "peony-audio-"));
    const path = join(folder, "film.mkv");
    const inputs = ["testsrc2=s=64x64:r=10:d=2", ...audio].flatMap((input) => ["-f", "lavfi", "-i", input]);
    const maps = [0, ...audio.map((_, at) => at + 1)].flatMap((index) => ["-map", String(index)]);
    const codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", ...encoder];
    execFileSync(config.media.ffmpeg, ["-v", "error", ...inputs, ...maps, ...codecs, path]);
    const video = await inspectVideo(path, undefined, { mayBeCopied: false });
    const gain = await findGain(video, video.audio ?? -1, {});
    expect(gain).not.toBe(0);
    expect(video.audioTracks).toHaveLength(1);
    const [rung] = planLadder(video);
    if (rung === undefined) throw new Error("no size was planned");
    const { made } = await makeRungs(folder, video, { rungs: [rung, { ...rung, size: 62 }], gain });
    const last = made.at(-1)?.path ?? "";
    const wave = execFileSync(config.media.ffmpeg, ["-v", "error", "-i", last, "-f", "s16le", "-"]);
    const loudest = [0, 1].map((channel) => {
      const values = Array.from({ length: wave.length / 4 }, (_, at) =>
        wave.readInt16LE(at * 4 + channel * 2),
      );
      return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) > 1000;
    });
    expect(loudest).toEqual(heard);
  },
);

test("a track of more channels than ffmpeg can mix refuses only the video that is heard with it", {
  timeout: 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "peony-audio-"));
  const raw = join(folder, "65.raw");
  writeFileSync(raw, Buffer.alloc(65 * 2 * 48_000));
  const many = ["-f", "s16le", "-ar", "48000", "-ac", "65", "-i", raw];
  const inspectWith = (...inputs: string[][]) => {
    const path = join(folder, "film.mkv");
    const maps = inputs.flatMap((_, at) => ["-map", String(at + 1)]);
    const video = ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=10:d=1"];
    const codecs = ["-map", "0", ...maps, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"];
    execFileSync(config.media.ffmpeg, ["-v", "error", "-y", ...video, ...inputs.flat(), ...codecs, path]);
    return inspectVideo(path, undefined, { mayBeCopied: false });
  };
  const seen = await inspectWith(["-f", "lavfi", "-i", "sine=d=1"], many);
  expect(seen.audioTracks).toHaveLength(1);
  expect(seen.warnings).toEqual(["audio tracks with more than 64 channels were left out"]);
  await expect(inspectWith(many)).rejects.toThrow("audio with more than 64 channels");
});
