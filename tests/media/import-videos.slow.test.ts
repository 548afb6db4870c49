import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { beforeEach, expect, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { storedVideo, videoContents } from "#app/domain/catalog/media/video-contents.server.ts";
import { fileNames } from "#app/domain/media/renditions.ts";
import { cutText } from "#app/texts.ts";
import { db } from "#db/client.server.ts";
import { importLines } from "../support/import-folder.ts";
import { barPositions, combsOf, factsOf, frameAt, pitchOf } from "./support/seen-video.ts";

/** Each import starts ffmpeg eight times, a third of a second of processor time each; the length of a source hardly counts. */
vi.setConfig({ testTimeout: 60_000 });

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "peony-videos-"));
  await db.execute(sql`TRUNCATE media, creators, tags CASCADE`);
});

const X264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
const B_FRAMES = ["-c:v", "libx264", "-preset", "medium", "-bf", "3", "-pix_fmt", "yuv420p"];
const X265 = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none", "-tag:v", "hvc1"];
const MPEG2 = ["-c:v", "mpeg2video", "-b:v", "2M"];
const AAC = ["-c:a", "aac"];

function ffmpeg(...args: string[]): string {
  const path = join(folder, args.at(-1) ?? "");
  execFileSync("ffmpeg", ["-nostdin", "-v", "error", "-y", ...args.slice(0, -1), path], { stdio: "pipe" });
  return path;
}

function scratched(bytes: Buffer): Buffer {
  const middle = Math.floor(bytes.length / 2);
  return bytes.fill(0x55, middle, middle + 64);
}

function pattern(size: string, seconds: number): string[] {
  return ["-f", "lavfi", "-i", `testsrc2=s=${size}:r=25:d=${seconds}`];
}

function tone(seconds: number, hertz = 440): string[] {
  return ["-f", "lavfi", "-i", `sine=f=${hertz}:d=${seconds}`];
}

const BAR_WIDTH = 160;
/** A white bar moves three pixels to the right with each of 50 frames. */
const BAR = ["-f", "lavfi", "-i", bar(BAR_WIDTH, 90, 3, 25)];
/** Fields of a bar that moves fast enough to comb. */
const FIELDS = `${bar(320, 240, 6, 50, 1)},tinterlace=interleave_top`;

function bar(width: number, height: number, step: number, rate: number, seconds = 2): string {
  const light = `if(lt(abs(X-4-${step}*N),6)*between(Y,${height / 4},${(height * 3) / 4}),235,16)`;
  return `color=black:s=${width}x${height}:r=${rate}:d=${seconds},geq=lum='${light}':cb=128:cr=128`;
}

/** One color above, and the same or another one below. */
function color(hex: string, filters: string, below = hex): string[] {
  const half = (each: string) => `color=c=0x${each}:s=192x54:r=25:d=1`;
  const both = `${half(hex)}[a];${half(below)}[b];[a][b]vstack`;
  return ["-f", "lavfi", "-i", `${both},format=gbrp,${filters}`];
}

const BT709 =
  "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p," +
  "setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv";

function colorTags(primaries: string, transfer: string, matrix: string): string[] {
  return ["-color_primaries", primaries, "-color_trc", transfer, "-colorspace", matrix];
}

function hdr(hex: string, transfer: string, below?: string): string[] {
  const made = `${BT709},zscale=t=${transfer}:m=2020_ncl:p=2020:r=tv:npl=203,format=yuv420p10le`;
  return color(hex, made, below);
}

async function bytesOf(name: string): Promise<Buffer> {
  return readFile(join(folder, name));
}

async function write(name: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), bytes);
}

/** Takes the first file, or those given, out of the folder. */
async function take(...names: string[]): Promise<Buffer[]> {
  return Promise.all(
    names.map(async (name) => {
      const bytes = await bytesOf(name);
      await rm(join(folder, name));
      return bytes;
    }),
  );
}

/** A command that writes to a pipe cannot go back to the head of the file. */
function piped(format: string, ...args: string[]): Buffer {
  return execFileSync("ffmpeg", ["-nostdin", "-v", "error", ...args, "-f", format, "pipe:1"], {
    maxBuffer: 64 * 1024 ** 2,
  });
}

interface Seen {
  seconds?: number;
  /** The first file, which the import makes. */
  size?: [number, number];
  color?: number[];
  /** The same as above unless given. */
  colorBelow?: number[];
  inOrder?: boolean;
  frames?: number;
  combed?: boolean;
  hertz?: number | null;
  isCopy?: boolean;
  captions?: Record<string, RegExp>;
  markers?: { atSeconds: number; title: string }[];
  warnings?: RegExp[];
  refused?: RegExp;
  /** A rehearsal makes everything that an import makes: four kinds of lines are enough. */
  isRehearsed?: boolean;
}

interface Case {
  name: string;
  make: () => unknown;
  seen: Seen;
}

const RED = [0xe0, 0x60, 0x40];
const WHITE = [255, 255, 255];

const CASES: Case[] = [
  {
    name: "frames from AVI with audio keep their order",
    make: () => ffmpeg(...BAR, ...tone(2), ...B_FRAMES, ...AAC, "b.avi"),
    seen: { inOrder: true, frames: 50, seconds: 2, hertz: 440 },
  },
  {
    name: "a video whose packets are in order is copied",
    make: () => ffmpeg(...BAR, ...tone(2), ...B_FRAMES, ...AAC, "b.mkv"),
    seen: { inOrder: true, frames: 50, seconds: 2, isCopy: true, hertz: 440, size: [BAR_WIDTH, 90] },
  },
  ...(["smpte2084", "arib-std-b67"] as const).map((transfer) => ({
    name: `HDR of ${transfer} shows red and white as they are`,
    make: () =>
      ffmpeg(
        ...hdr("e06040", transfer, "ffffff"),
        ...X265,
        "-crf",
        "8",
        ...colorTags("bt2020", transfer, "bt2020nc"),
        "h.mov",
      ),
    seen: { color: RED, colorBelow: WHITE, isCopy: false },
  })),
  {
    name: "the full range of a camera is reduced",
    make: () =>
      ffmpeg(
        ...color("e06040", "scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p"),
        ...["-c:v", "libx264", "-preset", "ultrafast", "-color_range", "pc"],
        ...colorTags("smpte170m", "smpte170m", "smpte170m"),
        "f.mp4",
      ),
    seen: { color: RED, isCopy: false },
  },
  ...[
    ["PNG pictures", "rgba", "-c:v", "png", "a.mov"],
    ["pictures of ProRes", "yuva444p10le", "-c:v", "prores_ks", "-profile:v", "4", "a.mov"],
    ["pictures of VP9", "yuva420p", "-c:v", "libvpx-vp9", "-deadline", "realtime", "a.webm"],
  ].map(([what = "", format, ...output]) => ({
    name: `transparent ${what} are shown on white, without hidden colors`,
    make: () => {
      const alpha = "geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='if(lt(Y,54),255,0)'";
      const filters = `format=rgba,${alpha},scale=out_color_matrix=bt601:out_range=tv,format=${format}`;
      ffmpeg(...color("e06040", filters, "00ff00"), ...output);
    },
    seen: { color: RED, colorBelow: WHITE, isCopy: false },
  })),
  {
    name: "an interlaced recording has no combs",
    make: () =>
      ffmpeg(
        "-f",
        "lavfi",
        "-i",
        `${FIELDS},setfield=tff`,
        ...tone(1),
        "-r",
        "25",
        ...X264,
        "-flags",
        "+ilme+ildct",
        "-x264opts",
        "tff=1",
        ...AAC,
        "i.mp4",
      ),
    seen: { combed: false, seconds: 1, isCopy: false },
  },
  {
    name: "combs are found in an MP4 that claims to be progressive",
    make: () => ffmpeg("-f", "lavfi", "-i", `${FIELDS},setfield=prog`, "-r", "25", ...X264, "i.mp4"),
    seen: { combed: false, isCopy: false },
  },
  ...[
    ["H.264", ...X264, "-x264-params", "fake-interlaced=1:tff=1:pic-struct=1", "w.mp4"],
    ["MPEG-2", ...MPEG2, "-flags", "+ildct+ilme", "-top", "0", "w.mpg"],
    ["MJPEG", "-c:v", "mjpeg", "-q:v", "2", "-field_order", "tt", "w.mov"],
  ].map(([codec, ...output]) => ({
    name: `whole pictures of ${codec} stay whole`,
    make: () => {
      const path = ffmpeg(...pattern("320x180", 2), "-vf", "gblur=3", ...output);
      expect(factsOf(path).streams[0]?.field_order).toMatch(/^(?:tt|bb)$/);
    },
    seen: { frames: 50, isCopy: false },
  })),
  {
    name: "joined recordings are as long as all of them",
    make: async () => {
      for (const seconds of [3, 1])
        ffmpeg(...pattern("160x90", seconds), ...tone(seconds), ...MPEG2, "-c:a", "mp2", `${seconds}.mpg`);
      await write("joined.mpg", Buffer.concat(await take("3.mpg", "1.mpg")));
    },
    seen: { seconds: 4, hertz: 440 },
  },
  {
    name: "a header of a whole file that claims too much gives a warning",
    make: () => withLengthInHead(900),
    seen: {
      isRehearsed: true,
      seconds: 2,
      warnings: [/claims to last 900 seconds, but ends after 2\.0/],
    },
  },
  ...[
    ["webm", "-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"],
    ["mp4", ...X264, ...AAC, "-movflags", "empty_moov+frag_keyframe"],
  ].map(([format = "", ...codecs]) => ({
    name: `${format} that was written to a pipe, without its length, is imported`,
    make: () => write(`p.${format}`, piped(format, ...pattern("160x90", 2), ...tone(2), ...codecs)),
    seen: { seconds: 2, hertz: 440, warnings: [] },
  })),
  {
    name: "a video whose only audio track cannot be decoded is imported without it, with a warning",
    make: async () => {
      ffmpeg(...pattern("160x90", 1), ...tone(1), ...X264, "-c:a", "ac3", "a.mkv");
      const bytes = await bytesOf("a.mkv");
      bytes.write("A_ZZZ", bytes.indexOf("A_AC3"), "latin1");
      await write("a.mkv", bytes);
    },
    seen: { hertz: null, warnings: [/without audio, because this ffmpeg cannot decode its /] },
  },
  ...[
    ["9 channels", 9, "pcm_s16le"],
    ["12 channels", 12, "wavpack"],
    ["16 channels", 16, "pcm_s16le"],
  ].map(([what, channels, codec]) => ({
    name: `${what} without a layout are mixed, with a warning`,
    make: () => {
      const silent = Array.from({ length: Number(channels) - 1 }, () => "0").join("|");
      const only = ["-f", "lavfi", "-i", `aevalsrc='${silent}|0.9*sin(440*2*PI*t)':d=1:s=48000`];
      ffmpeg(...pattern("160x90", 1), ...only, ...X264, "-c:a", String(codec), "n.mkv");
    },
    seen: {
      hertz: 440,
      warnings: [
        new RegExp(
          `its ${channels} audio channels do not say which speakers they are for, so each is heard equally`,
        ),
      ],
    },
  })),
  ...[
    ["PCM", "-c:a", "pcm_s16le", "m.mov"],
    ["AAC", ...AAC, "m.mkv"],
  ].map(([codec, ...output]) => ({
    name: `two mono tracks of ${codec} are left and right`,
    make: () => {
      const silence = ["-f", "lavfi", "-i", "anullsrc=r=44100:cl=mono"];
      const inputs = [...pattern("160x90", 2), ...silence, ...tone(2)];
      const tracks = ["-map", "0", "-map", "1", "-map", "2", "-t", "2"];
      ffmpeg(...inputs, ...tracks, ...X264, ...output);
    },
    seen: { hertz: 440, isCopy: false, warnings: [] },
  })),
  {
    name: "a recording that lost one packet is imported with a warning",
    make: async () => {
      ffmpeg(...pattern("320x180", 2), ...tone(2), ...X264, ...AAC, "-f", "mpegts", "l.ts");
      const bytes = await bytesOf("l.ts");
      const middle = Math.floor(bytes.length / 376) * 188;
      await write("l.ts", Buffer.concat([bytes.subarray(0, middle), bytes.subarray(middle + 188)]));
    },
    seen: { seconds: 2, hertz: 440, warnings: [/damaged in places/], isCopy: false },
  },
  {
    name: "an MP4 with a scratch is not copied, but imported with a warning",
    make: async () => {
      ffmpeg(...pattern("320x180", 4), ...X264, "s.mp4");
      const bytes = await bytesOf("s.mp4");
      await write("s.mp4", scratched(bytes));
    },
    seen: { isRehearsed: true, seconds: 4, warnings: [/damaged in places/], isCopy: false },
  },
  {
    name: "a recording of which a third is lost is refused",
    make: async () => {
      ffmpeg(...pattern("320x180", 9), ...X264, "-g", "25", "-f", "mpegts", "h.ts");
      const bytes = await bytesOf("h.ts");
      await write("h.ts", bytes.fill(0, Math.floor(bytes.length / 3), Math.floor((bytes.length * 2) / 3)));
    },
    seen: { isRehearsed: true, refused: /damaged or incomplete/ },
  },
  {
    name: "a video that was cut off is refused",
    make: async () => {
      ffmpeg(...pattern("320x180", 6), ...X264, "c.mkv");
      const bytes = await bytesOf("c.mkv");
      await write("c.mkv", bytes.subarray(0, bytes.length / 2));
    },
    seen: { refused: /ends after [23]\.\d of 6\.0 seconds/ },
  },
  {
    name: "captions and chapters inside a file are on its page",
    make: async () => {
      await write("e.srt", Buffer.from("1\n00:00:00,500 --> 00:00:01,000\nHello from inside\n"));
      await write("chapters.txt", Buffer.from(chapters(["Intro", "Main"])));
      ffmpeg(
        ...[
          ...pattern("160x90", 2),
          ...tone(2),
          "-i",
          join(folder, "e.srt"),
          "-i",
          join(folder, "chapters.txt"),
        ],
        ...["-map", "0", "-map", "1", "-map", "2", "-map_metadata", "3", ...X264, ...AAC, "-c:s", "srt"],
        ...["-metadata:s:s", "language=eng", "-disposition:s:0", "default", "i.mkv"],
      );
      await take("e.srt", "chapters.txt");
    },
    seen: {
      captions: { English: /00:00\.5\d\d --> 00:01\.0\d\d\nHello from inside/ },
      markers: [
        { atSeconds: 0, title: "Intro" },
        { atSeconds: 1, title: "Main" },
      ],
      warnings: [],
    },
  },
  {
    name: "chapters inside a file are no more and no longer than the studio saves, and turn no text",
    make: async () => {
      const titles = Array.from({ length: 101 }, (_, index) => `${index} `.padEnd(120, "x"));
      titles[1] = "\u202e\u3164";
      titles[2] = "Si\u202el\u2066k\u202c";
      await write("chapters.txt", Buffer.from(chapters(titles, { everyMs: 10 })));
      ffmpeg(
        ...[...pattern("160x90", 2), "-i", join(folder, "chapters.txt")],
        ...["-map", "0", "-map_metadata", "1", ...X264, "l.mkv"],
      );
      await take("chapters.txt");
    },
    seen: {
      markers: Array.from({ length: 100 }, (_, index) => ({
        atSeconds: index / 100,
        title: index === 1 ? "Chapter 2" : index === 2 ? "Silk" : cutText(`${index} `.padEnd(120, "x"), 100),
      })),
      warnings: [/only the first 100 of its 101 chapters are imported/],
    },
  },
  {
    name: "SubStation captions are imported as words at their places, without commands and comments",
    make: async () => {
      const dialogue = (style: string, words: string) =>
        `Dialogue: 0,0:00:00.50,0:00:01.00,${style},,0,0,0,,${words}`;
      const script = [
        ...["[Script Info]", "ScriptType: v4.00+", "", "[V4+ Styles]", "Format: Name, Alignment"],
        ...["Style: Default,2", "Style: Sign,8", "", "[Events]"],
        "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text",
        ...[dialogue("Default", "{\\i1}Whisper{\\i0}\\N5 < 6\\h& {a note}done"), dialogue("Sign", "Closed")],
        "Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,a note of the translator",
      ];
      await write("a.ass", Buffer.from(script.join("\n")));
      const inputs = [...pattern("160x90", 2), "-i", join(folder, "a.ass"), "-map", "0", "-map", "1"];
      ffmpeg(...inputs, ...X264, "-c:s", "ass", "a.mkv");
      await take("a.ass");
    },
    seen: {
      captions: {
        Captions:
          /^WEBVTT\n\n00:00\.5\d0 --> 00:01\.0\d0\n<i>Whisper<\/i>\n5 &lt; 6\u00a0&amp; done\n\n.* line:0\nClosed\n$/,
      },
      markers: [],
      warnings: [],
    },
  },
];

test.each(CASES)("$name", async ({ make, seen }) => {
  await make();
  const [source = ""] = await readdir(folder);
  const rehearsed = seen.isRehearsed ? await importLines(folder, { isDryRun: true }) : null;
  const lines = await importLines(folder);
  if (rehearsed) expect(rehearsed.map((line) => line.replace("wouldImport", "imported"))).toEqual(lines);
  if (seen.refused) {
    expect(lines).toEqual([expect.stringMatching(seen.refused)]);
    return;
  }
  expect(lines[0]).toBe(`imported ${source}`);
  if (seen.warnings) {
    expect(lines.slice(1)).toEqual(seen.warnings.map((warning) => expect.stringMatching(warning)));
  }
  await expectSeen(seen, join(folder, source));
});

async function expectSeen(seen: Seen, source: string): Promise<void> {
  const [row] = await db.execute<{
    id: string;
    width: number;
    height: number;
    seconds: number;
    part: Parameters<typeof videoContents>[1];
  }>(sql`SELECT m.id, m.width, m.height, m.duration_seconds AS seconds, ${storedVideo} AS part FROM media m`);
  if (!row) throw new Error("nothing was imported");
  const contents = videoContents(row.id, row.part);
  const stored = (name: string) => join(config.media.dir, "media", row.id, name);
  const [file] = await db.execute<{ key: string }>(sql`
    SELECT storage_key AS key FROM media_files WHERE name LIKE 'video-%' AND retired_at IS NULL
    ORDER BY LEAST(width, height) DESC LIMIT 1`);
  const best = join(config.media.dir, file?.key ?? "");
  const { format, streams } = factsOf(best);
  const picture = streams.find(({ codec_type }) => codec_type === "video") ?? {};
  expect([picture.width, picture.height]).toEqual([row.width, row.height]);
  expect(row.seconds).toBeCloseTo(Number(format.duration), 1);

  if (seen.seconds !== undefined) expect(Math.abs(row.seconds - seen.seconds)).toBeLessThan(0.3);
  if (seen.size) expect([row.width, row.height]).toEqual(seen.size);
  if (seen.inOrder) expectOrder(barPositions(best, BAR_WIDTH), seen.frames);
  else if (seen.frames) expect(combsOf(best).frames).toBe(seen.frames);
  if (seen.combed === false) expect(combsOf(best).combed).toBe(0);
  if (seen.hertz === null) expect(streams.some(({ codec_type }) => codec_type === "audio")).toBe(false);
  else if (seen.hertz) expect(Math.abs(pitchOf(best) / seen.hertz - 1)).toBeLessThan(0.05);
  if (seen.isCopy !== undefined) expect(hasFramesOf(source, best, picture.codec_name)).toBe(seen.isCopy);
  if (seen.color) {
    const { color: above, colorBelow: below = above } = seen;
    await expectColors([above, below], best, stored(fileNames.cover(480, "webp")), picture);
  }
  // The audio of Matroska may begin before the picture.
  const nearly = ({ atSeconds, title }: { atSeconds: number; title: string }) => ({
    atSeconds: expect.closeTo(atSeconds, 1),
    title,
    picture: null,
  });
  if (seen.markers) expect(contents.markers).toEqual(seen.markers.map(nearly));
  if (seen.captions) {
    const texts = contents.captions.map(async ({ url, label }) => [
      label,
      await readFile(stored(url.split("/").at(-1) ?? ""), "utf8"),
    ]);
    const expected = Object.entries(seen.captions).map(([label, text]) => [
      label,
      expect.stringMatching(text),
    ]);
    expect(Object.fromEntries(await Promise.all(texts))).toEqual(Object.fromEntries(expected));
  }
}

function expectOrder(positions: number[], frames = positions.length): void {
  expect(positions).toHaveLength(frames);
  // The first frames of a file without times may share one.
  expect(positions.length).toBeGreaterThanOrEqual(46);
  expect(positions).toEqual([...positions].sort((one, other) => one - other));
  expect(new Set(positions).size).toBeGreaterThanOrEqual(46);
}

async function expectColors(
  wanted: number[][],
  video: string,
  cover: string,
  picture: Record<string, unknown>,
): Promise<void> {
  expect(picture).toMatchObject({ color_space: "bt709", color_transfer: "bt709", color_primaries: "bt709" });
  expect(picture).toMatchObject({ pix_fmt: "yuv420p" });
  const frame = frameAt(video, 0.5);
  for (const [index, values] of wanted.entries()) {
    for (const shown of [await colorOfHalf(frame, index), await colorOfHalf(cover, index)]) {
      const distance = values.map((value, channel) => Math.abs(value - (shown[channel] ?? 0)));
      expect(Math.max(...distance), `${shown.map(Math.round)} for ${values}`).toBeLessThanOrEqual(8);
    }
  }
}

/** The average color in the middle of the upper half, 0, or of the lower one, 1. */
async function colorOfHalf(picture: string | Buffer, half: number): Promise<number[]> {
  const { width = 0, height = 0 } = await sharp(picture).metadata();
  const part = (of: number, share: number) => Math.round(of * share);
  const { channels } = await sharp(picture)
    .extract({
      ...{ left: part(width, 1 / 4), width: part(width, 1 / 2) },
      ...{ top: part(height, 1 / 8 + half / 2), height: part(height, 1 / 4) },
    })
    .toBuffer()
    .then((cut) => sharp(cut).stats());
  return channels.slice(0, 3).map(({ mean }) => mean);
}

function hasFramesOf(source: string, made: string, madeCodec: unknown): boolean {
  const codec = factsOf(source).streams.find(({ codec_type }) => codec_type === "video")?.codec_name;
  return codec === madeCodec && framesOf(source) === framesOf(made);
}

/** The pictures as they are stored in H.264, undecoded. */
function framesOf(path: string): string {
  const flags = ["-nostdin", "-v", "error", "-i", path, "-map", "0:v:0", "-c", "copy"];
  const frames = ["-bsf:v", "h264_mp4toannexb", "-f", "framehash", "-hash", "md5", "-"];
  return execFileSync("ffmpeg", [...flags, ...frames], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => line.split(",").at(-1))
    .join();
}

test("without the filters for HDR, its video is imported with a warning that names them", async () => {
  ffmpeg(...hdr("e06040", "smpte2084"), ...X265, ...colorTags("bt2020", "smpte2084", "bt2020nc"), "h.mov");
  const { ffmpeg: real } = config.media;
  const poor = join(await mkdtemp(join(tmpdir(), "peony-poor-")), "ffmpeg");
  const list = `"${real}" "$@" | grep -v " zscale "`;
  const script = `#!/bin/sh\ncase " $* " in *" -filters "*) ${list};; *) exec "${real}" "$@";; esac\n`;
  await writeFile(poor, script, { mode: 0o755 });
  config.media.ffmpeg = poor;
  try {
    expect(await importLines(folder)).toEqual([
      "imported h.mov",
      "warning h.mov: its colors are wrong: HDR needs zscale, which this ffmpeg lacks",
    ]);
    await expectSeen({ size: [192, 108], isCopy: false }, join(folder, "h.mov"));
  } finally {
    config.media.ffmpeg = real;
  }
});

/** ffmpeg writes the length of Matroska as a float after its id. */
async function withLengthInHead(seconds: number): Promise<void> {
  ffmpeg(...pattern("160x90", 2), "-c:v", "mpeg4", "h.mkv");
  const bytes = await bytesOf("h.mkv");
  const at = bytes.indexOf(Buffer.from("448988", "hex"));
  new DataView(bytes.buffer, bytes.byteOffset).setFloat64(at + 3, seconds * 1000);
  await write("h.mkv", bytes);
}

function chapters(titles: string[], { everyMs = 1_000 } = {}): string {
  const parts = titles.map(
    (title, index) =>
      `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${index * everyMs}\nEND=${(index + 1) * everyMs}\ntitle=${title}\n`,
  );
  return `;FFMETADATA1\n${parts.join("")}`;
}
