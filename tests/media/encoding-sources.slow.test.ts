import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { readLadder } from "#app/domain/catalog/media/ladder-files.server.ts";
import { segmentsOf } from "#app/domain/media/video/playlist.ts";
import { db } from "#db/client.server.ts";
import {
  beepAt,
  type FileRow,
  filesOf,
  flashAt,
  keyFrames,
  loudnessOf,
  saveVideo,
  workOff,
} from "./support/encoded.ts";
import { combsOf, factsOf, turned } from "./support/seen-video.ts";

vi.setConfig({ testTimeout: 1_200_000 });

const folder = await mkdtemp(join(tmpdir(), "peony-sources-"));

afterEach(async () => {
  await db.execute(sql`TRUNCATE media, creators, tags CASCADE`);
});

/** Decision 163: bits per second. */
const CEILINGS: Record<number, number> = {
  ...{ 2160: 16_000_000, 1440: 9_000_000, 1080: 5_500_000, 720: 3_000_000, 480: 1_600_000, 360: 900_000 },
};
const LARGEST_SEGMENT = 8 * 1024 ** 2;

/** Three segments: a first one, a last one and one between them. */
const SECONDS = 8;
/** From second to second, in the one between them. */
const SIGN = { at: 4, until: 5 };

interface Shape {
  size?: string;
  rate?: number;
  hasAudio?: boolean;
  /** Filters after the picture. */
  picture?: string;
}

/** A pattern with a white flash and a beep at the same moment. */
function source(shape: Shape = {}): string[] {
  const { size = "320x180", rate = 25, hasAudio = true, picture } = shape;
  const beep = `volume=enable='not(between(t,${SIGN.at},${SIGN.until}))':volume=0.01`;
  const flash = `drawbox=c=white:t=fill:enable='between(t,${SIGN.at},${SIGN.until})'`;
  const pattern = `testsrc2=s=${size}:r=${rate}:d=${SECONDS},${flash}${picture ? `,${picture}` : ""}`;
  const tones = hasAudio ? [`sine=f=400:d=${SECONDS},${beep}`] : [];
  return [pattern, ...tones].flatMap((input) => ["-f", "lavfi", "-i", input]);
}

function ffmpeg(name: string, ...args: string[]): string {
  const path = join(folder, name);
  execFileSync("ffmpeg", ["-nostdin", "-v", "error", "-y", ...args, path], { stdio: "pipe" });
  return path;
}

const X264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
const X265 = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"];
const AAC = ["-c:a", "aac"];
const SDR =
  "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p," +
  "setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv";
const HDR = `${SDR},zscale=t=smpte2084:m=2020_ncl:p=2020:r=tv:npl=203,format=yuv420p10le`;

interface Case {
  name: string;
  make: () => string;
  /** Shorter sides of the ladder. */
  ladder: number[];
  size?: [number, number];
  hasAudio?: boolean;
  isInterlaced?: boolean;
  isHdr?: boolean;
  /** By how many seconds a segment may be rounded to pictures. */
  rounding?: number;
}

const CASES: Case[] = [
  {
    name: "HEVC of 10 bits with HDR",
    make: () =>
      ffmpeg(
        ...[
          "a.mov",
          ...source({ picture: HDR }),
          ...X265,
          "-tag:v",
          "hvc1",
          ...AAC,
          "-color_primaries",
          "bt2020",
        ],
        ...["-color_trc", "smpte2084", "-colorspace", "bt2020nc"],
      ),
    ladder: [180],
    isHdr: true,
  },
  {
    name: "MPEG-2",
    make: () =>
      ffmpeg("a.mpg", ...source({ size: "640x480" }), "-c:v", "mpeg2video", "-b:v", "4M", "-c:a", "mp2"),
    ladder: [480, 360],
  },
  {
    name: "a changing rate of pictures",
    make: () =>
      ffmpeg(
        "a.mp4",
        // ffmpeg shows pictures of a changing rate up to one picture early: the white ones begin two after the beep.
        ...source({ picture: "select='lt(t,2)+not(mod(n-2,4))'" }),
        "-vsync",
        "vfr",
        ...X264,
        ...AAC,
      ),
    ladder: [180],
    rounding: 0.2,
  },
  {
    name: "a rotated picture without audio",
    make: () => turned(ffmpeg("base.mp4", ...source({ hasAudio: false }), ...X264), join(folder, "a.mp4")),
    ladder: [180],
    size: [180, 320],
    hasAudio: false,
  },
  {
    name: "interlaced pictures with 5.1 audio",
    make: () =>
      ffmpeg(
        ...["a.mts", ...source({ rate: 50, picture: "tinterlace=interleave_top,setfield=tff" }), "-r", "25"],
        ...[
          ...X264,
          "-flags",
          "+ilme+ildct",
          "-x264opts",
          "tff=1",
          "-c:a",
          "ac3",
          "-ac",
          "6",
          "-f",
          "mpegts",
        ],
      ),
    ladder: [180],
    isInterlaced: true,
  },
  {
    name: "4K",
    make: () => ffmpeg("a.mp4", ...source({ size: "3840x2160", rate: 4 }), ...X264, ...AAC),
    ladder: [2160, 1440, 1080, 720, 480, 360],
    rounding: 0.1,
  },
  {
    name: "pixels that are not square",
    make: () => ffmpeg("a.mkv", ...source({ size: "240x180", picture: "setsar=4/3" }), ...X264, ...AAC),
    ladder: [180],
    size: [320, 180],
  },
];

test.each(CASES)("every file of $name matches the table", async (row) => {
  const { ladder, hasAudio = true, rounding = 0.04 } = row;
  const path = row.make();
  const id = await saveVideo(path);
  await rm(path);
  expect((await workOff()).filter((outcome) => !outcome.endsWith(" done"))).toEqual([]);
  const files = await filesOf(id);
  const named = await readLadder(id);
  expect(named.rungs.map(({ name }) => name)).toEqual(ladder.map((size) => `rung-${size}.m3u8`));
  const pathOf = (name: string) => files.get(name)?.path ?? "";

  const keys: number[][] = [];
  for (const rung of ladder) {
    const file = pathOf(`rung-${rung}.mp4`);
    await expectTracks(file, { rung, hasAudio, size: rung === ladder[0] ? row.size : undefined });
    await expectSegments(files, `rung-${rung}`, {
      ...{ rounding, seconds: SECONDS },
      ceiling: ceilingOf(rung) + (hasAudio ? 160_000 : 0),
    });
    if (hasAudio) expect(Math.abs(beepAt(file) - flashAt(file)), `${rung}`).toBeLessThanOrEqual(0.04);
    keys.push(keyFrames(file));
  }
  for (const times of keys) expect(times).toEqual(keys[0]);

  expect(named.audioTracks).toEqual([]);

  const downloads = [...files.keys()].filter((name) => /^video-\d+\.mp4$/.test(name));
  expect(downloads.length).toBeGreaterThan(0);
  for (const name of downloads) {
    const file = pathOf(name);
    const { format, streams } = factsOf(file);
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(hasAudio ? ["h264", "aac"] : ["h264"]);
    expect(
      Math.abs(Number(format.duration) - SECONDS),
      `${name} lasts ${format.duration}`,
    ).toBeLessThanOrEqual(0.1);
    expect((await readFile(file)).indexOf("moov")).toBeLessThan(1000);
    if (!hasAudio) continue;
    expect(Math.abs(beepAt(file) - flashAt(file)), name).toBeLessThanOrEqual(0.04);
    expect(Math.abs(loudnessOf(file) + 16), name).toBeLessThanOrEqual(1);
  }
  if (row.isInterlaced) {
    // A few pictures of this fine pattern look like combs; the source is nothing else.
    const { combed, frames } = combsOf(pathOf("video-180.mp4"));
    expect(combed / frames).toBeLessThan(0.05);
  }

  if (row.isHdr) {
    const [pattern = ""] = source({ picture: SDR }).slice(3);
    const light = lightOf("-f", "lavfi", "-i", pattern);
    const seen = lightOf("-i", pathOf("rung-180.mp4"));
    // Without tone mapping the pattern is darker, and pale.
    expect(Math.abs(seen.mean / light.mean - 1)).toBeLessThan(0.1);
    expect(Math.abs(seen.deviation / light.deviation - 1)).toBeLessThan(0.15);
  }

  const times = await readFile(pathOf("sprite.vtt"), "utf8");
  expect(times.match(/-->/g)).toHaveLength(Math.ceil(SECONDS / 5));
  expect(files.get("hover.mp4")?.bytes).toBeLessThanOrEqual(250_000);
  const hover = factsOf(pathOf("hover.mp4"));
  expect(hover.streams).toMatchObject([{ codec_name: "h264", width: 320 }]);
  expect(Math.abs(Number(hover.format.duration) - 3), "the preview's length").toBeLessThanOrEqual(0.1);
});

test("a picture that ends long before its audio stays until the end, in segments of the usual length", async () => {
  const seconds = 60;
  const inputs = ["testsrc2=s=160x90:r=2:d=2", `anoisesrc=d=${seconds}:a=0.3`].flatMap((input) => [
    ...["-f", "lavfi", "-i", input],
  ]);
  const id = await saveVideo(ffmpeg("a.mp4", ...inputs, ...X264, ...AAC, "-b:a", "48k"));
  expect((await workOff()).filter((outcome) => !outcome.endsWith(" done"))).toEqual([]);
  const files = await filesOf(id);
  await expectSegments(files, "rung-90", { rounding: 0.04, seconds, ceiling: 900_000 + 96_000 });
  const { path = "" } = files.get("rung-90.mp4") ?? {};
  expect(keyFrames(path).at(-1)).toBeGreaterThan(seconds - 4);
  expect(
    Math.abs(Number(factsOf(files.get("video-90.mp4")?.path ?? "").format.duration) - seconds),
  ).toBeLessThan(0.1);
});

/** The levels of brightness of the picture at the second 2. */
function lightOf(...input: string[]): { mean: number; deviation: number } {
  const output = ["-ss", "2", "-frames:v", "1", "-vf", "scale=64:36,format=gray", "-f", "rawvideo", "-"];
  const levels = [...execFileSync("ffmpeg", ["-nostdin", "-v", "error", ...input, ...output])];
  const mean = levels.reduce((sum, level) => sum + level, 0) / levels.length;
  const spread = levels.reduce((sum, level) => sum + (level - mean) ** 2, 0) / levels.length;
  return { mean, deviation: Math.sqrt(spread) };
}

function ceilingOf(rung: number): number {
  const usual = Object.keys(CEILINGS)
    .map(Number)
    .find((size) => size >= rung);
  return CEILINGS[usual ?? 2160] ?? 0;
}

async function expectTracks(
  path: string,
  { rung, hasAudio, size }: { rung: number; hasAudio: boolean; size: [number, number] | undefined },
): Promise<void> {
  const { streams } = factsOf(path);
  const picture = { codec_name: "h264", profile: "High", pix_fmt: "yuv420p", sample_aspect_ratio: "1:1" };
  const colors = { color_space: "bt709", color_transfer: "bt709", color_primaries: "bt709" };
  const audio = { codec_name: "aac", profile: "LC", channels: 2, sample_rate: "48000" };
  expect(streams).toMatchObject([{ ...picture, ...colors }, ...(hasAudio ? [audio] : [])]);
  const [{ width = 0, height = 0 } = {}] = streams;
  expect(Math.min(Number(width), Number(height))).toBe(rung);
  if (size !== undefined) expect([width, height]).toEqual(size);
}

async function expectSegments(
  files: Map<string, FileRow>,
  stem: string,
  { rounding, seconds: expected, ceiling }: { rounding: number; seconds: number; ceiling: number },
): Promise<void> {
  const [file, list] = [files.get(`${stem}.mp4`), files.get(`${stem}.m3u8`)];
  if (file === undefined || list === undefined) throw new Error(`there is no ${stem}`);
  expect([file.needs, list.needs]).toEqual(["view", "view"]);
  const segments = segmentsOf(await readFile(list.path, "utf8"));
  for (const { seconds, bytes } of segments) {
    expect(seconds, stem).toBeGreaterThanOrEqual(2 - rounding);
    expect(seconds, stem).toBeLessThanOrEqual(4 + rounding);
    expect(bytes, stem).toBeLessThanOrEqual(LARGEST_SEGMENT);
  }
  const total = segments.reduce((sum, { seconds }) => sum + seconds, 0);
  expect(Math.abs(total - expected), `${stem} lasts ${total}`).toBeLessThanOrEqual(0.1);
  expect((file.bytes * 8) / total, stem).toBeLessThanOrEqual(1.1 * ceiling);
  expect(list.bandwidth, stem).toBeLessThanOrEqual(1.5 * ceiling);
}
