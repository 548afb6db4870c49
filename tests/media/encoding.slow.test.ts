import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { beforeEach, expect, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { readLadder } from "#app/domain/catalog/media/ladder-files.server.ts";
import { fileNames } from "#app/domain/media/renditions.ts";
import { segmentsOf } from "#app/domain/media/video/playlist.ts";
import { db } from "#db/client.server.ts";
import {
  beepAt,
  type FileRow,
  filesOf,
  flashAt,
  keyFrames,
  loudnessOf,
  probe,
  saveVideo,
  workOff,
} from "./support/encoded.ts";
import { pitchOf } from "./support/seen-video.ts";

vi.setConfig({ testTimeout: 300_000 });

const folder = await mkdtemp(join(tmpdir(), "peony-encoding-"));

beforeEach(async () => {
  await db.execute(sql`TRUNCATE media, creators, tags CASCADE`);
});

function made(name: string, ...args: string[]): string {
  const path = join(folder, name);
  execFileSync("ffmpeg", ["-nostdin", "-v", "error", "-y", ...args, path], { stdio: "pipe" });
  return path;
}

const PLAYABLE = [
  "-c:v",
  "libx264",
  "-preset",
  "ultrafast",
  "-pix_fmt",
  "yuv420p",
  "-g",
  "250",
  "-c:a",
  "aac",
];

function testVideo(seconds: number, size = "854x480"): string[] {
  const picture = ["-f", "lavfi", "-i", `testsrc2=s=${size}:r=25:d=${seconds}`];
  return [...picture, "-f", "lavfi", "-i", `sine=f=440:d=${seconds}`, "-af", "volume=-12dB"];
}

/** The table of decision 159, for the sizes of this test. */
const CEILINGS: Record<number, number> = {
  720: 3_000_000,
  480: 1_600_000,
  360: 900_000,
  326: 900_000,
  180: 900_000,
};

async function expectRung(
  files: Map<string, FileRow>,
  rung: number,
  size: [number, number],
  hasAudio: boolean,
) {
  const file = files.get(`rung-${rung}.mp4`);
  const list = files.get(`rung-${rung}.m3u8`);
  if (file === undefined || list === undefined) throw new Error(`there is no rung of ${rung}`);
  const { streams } = probe(file.path);
  const [width, height] = size;
  expect(streams[0]).toMatchObject({
    codec_name: "h264",
    profile: "High",
    pix_fmt: "yuv420p",
    width,
    height,
  });
  expect(streams.slice(1)).toMatchObject(
    hasAudio ? [{ codec_name: "aac", profile: "LC", channels: 2, sample_rate: "48000" }] : [],
  );
  expect([file.needs, list.needs]).toEqual(["view", "view"]);
  expect([list.width, list.height]).toEqual(size);
  const playlist = await readFile(list.path, "utf8");
  const segments = segmentsOf(playlist);
  for (const { seconds, bytes } of segments) {
    expect(seconds).toBeGreaterThanOrEqual(1.96);
    expect(seconds).toBeLessThanOrEqual(4.04);
    expect(bytes).toBeLessThanOrEqual(8 * 1024 ** 2);
  }
  expect(list.bandwidth).toBe(
    Math.ceil(Math.max(...segments.map(({ bytes, seconds }) => (bytes * 8) / seconds))),
  );
  expect(list.bandwidth).toBeLessThanOrEqual(1.5 * (CEILINGS[rung] ?? 0));
  expect(list.codecs).toMatch(hasAudio ? /^avc1\.6400\w\w,mp4a\.40\.2$/ : /^avc1\.6400\w\w$/);
  // Every byte of the file belongs to a segment or to the head.
  const [, head = "0"] = /BYTERANGE="(\d+)@0"/.exec(playlist) ?? [];
  expect(segments.reduce((sum, { bytes }) => sum + bytes, Number(head))).toBe(file.bytes);
  expect(playlist.match(/^[^#\n].*$/gm)).toEqual(segments.map(() => `rung-${rung}.mp4`));
}

test("a playable video is copied first, and the worker replaces the copy with the ladder and its other files", async () => {
  const id = await saveVideo(made("h264.mp4", ...testVideo(8), ...PLAYABLE));
  const before = await filesOf(id);
  expect([...before.keys()].filter((name) => name.endsWith(".mp4"))).toEqual(["video-480.mp4"]);

  expect(await workOff()).toEqual(
    ["source", "rung-480", "rung-360", "video-480", "video-360", "candidate", "sprite", "hover"].map(
      (step) => `${step} done`,
    ),
  );
  const files = await filesOf(id);
  await expectRung(files, 480, [854, 480], true);
  await expectRung(files, 360, [640, 360], true);
  const times = [480, 360].map((size) => keyFrames(files.get(`rung-${size}.mp4`)?.path ?? ""));
  expect(times[1]).toEqual(times[0]);
  expect(times[0]).toEqual([0, 2.68, 5.36]);
  expect(files.get("video-480.mp4")?.version).toBe(1);
  for (const size of [480, 360]) {
    const { path = "", needs } = files.get(`video-${size}.mp4`) ?? {};
    expect(needs).toBe("view");
    expect(Number(probe(path).format.duration)).toBeCloseTo(8, 0);
    expect((await readFile(path)).indexOf("moov")).toBeLessThan(1000);
    expect(Math.abs(loudnessOf(path) + 16)).toBeLessThan(1);
  }
  const candidates = [...files.keys()].filter((name) => name.startsWith("candidate-"));
  expect(candidates).toHaveLength(6);
  expect(files.get("candidate-1.webp")).toMatchObject({ needs: "edit", width: 854, height: 480 });
  expect(files.get("sprite-1.webp")).toMatchObject({ needs: "view", width: 320, height: 90 });
  const { path: vtt = "" } = files.get("sprite.vtt") ?? {};
  expect(
    (await readFile(vtt, "utf8"))
      .split("\n\n")
      .slice(1)
      .map((cue) => cue.trim()),
  ).toEqual([
    "00:00:00.000 --> 00:00:05.000\nsprite-1.webp#xywh=0,0,160,90",
    expect.stringMatching(/^00:00:05.000 --> 00:00:08.0\d\d\nsprite-1.webp#xywh=160,0,160,90$/),
  ]);
  const hover = files.get("hover.mp4");
  expect(hover?.needs).toBe("view");
  expect(hover?.bytes).toBeLessThanOrEqual(250_000);
  const preview = probe(hover?.path ?? "");
  expect(preview.streams).toMatchObject([{ codec_name: "h264", width: 320, height: 180 }]);
  expect(Number(preview.format.duration)).toBeCloseTo(3, 0);
  const last = await sharp(files.get("sprite-1.webp")?.path)
    .extract({ left: 160, top: 0, width: 160, height: 90 })
    .stats();
  expect(
    Math.max(...last.channels.map(({ stdev }) => stdev)),
    "the last sprite is a picture",
  ).toBeGreaterThan(10);
  expect(await readdir(join(config.media.workDir, ".incoming"))).toEqual([]);
});

test("sizes and preview of pictures that are hard to compress stay within their limits", async () => {
  const noise = "testsrc2=s=854x480:r=25:d=4,noise=alls=100:allf=t";
  const id = await saveVideo(made("noise.mp4", "-f", "lavfi", "-i", noise, ...PLAYABLE));
  await workOff();
  const files = await filesOf(id);
  for (const [rung, size] of [
    [480, [854, 480]],
    [360, [640, 360]],
  ] as const) {
    await expectRung(files, rung, [...size], false);
    const bits = ((files.get(`rung-${rung}.mp4`)?.bytes ?? 0) * 8) / 4;
    // Otherwise it would say nothing of the ceiling.
    expect(bits).toBeGreaterThan(0.8 * (CEILINGS[rung] ?? 0));
    expect(bits).toBeLessThan(1.3 * (CEILINGS[rung] ?? 0));
  }
  const hover = files.get("hover.mp4")?.bytes ?? 0;
  expect(hover).toBeLessThanOrEqual(250_000);
});

test("several audio tracks are separate files on the clock of silent sizes, and the MP4s have the default one", async () => {
  // A flash and a beep at two seconds; the second audio track beeps higher.
  const flash = "color=black:s=320x180:r=25:d=11,drawbox=c=white:t=fill:enable='between(t,2,3)'";
  const beep = (hertz: number) => `sine=f=${hertz}:d=10,volume=enable='not(between(t,2,3))':volume=0.01`;
  const inputs = [flash, beep(500), beep(2000)].flatMap((source) => ["-f", "lavfi", "-i", source]);
  const names = ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=ger"];
  const tracks = ["-map", "0", "-map", "1", "-map", "2", ...names, "-disposition:a:1", "default"];
  const id = await saveVideo(made("two.mkv", ...inputs, ...tracks, "-disposition:a:0", "0", ...PLAYABLE));
  expect(await workOff()).toEqual(
    ["source", "rung-180", "sound-1", "sound-2", "video-180", "candidate", "sprite", "hover"].map(
      (step) => `${step} done`,
    ),
  );
  const files = await filesOf(id);
  await expectRung(files, 180, [320, 180], false);
  const ladder = await readLadder(id);
  expect(ladder.audioTracks).toMatchObject([
    { name: "rung-sound-1.m3u8", language: "de", label: "Deutsch", codecs: "mp4a.40.2" },
    { name: "rung-sound-2.m3u8", language: "en", label: "English", codecs: "mp4a.40.2" },
  ]);
  const pathOf = (name: string) => files.get(name)?.path ?? "";
  const picture = flashAt(pathOf("rung-180.mp4"));
  for (const [number, hertz] of [
    [1, 2000],
    [2, 500],
  ] as const) {
    const name = fileNames.rungAudio(number);
    expect([files.get(name)?.needs, files.get(fileNames.rungAudioPlaylist(number))?.needs]).toEqual([
      ...["view", "view"],
    ]);
    expect(probe(pathOf(name)).streams).toMatchObject([{ codec_name: "aac", profile: "LC", channels: 2 }]);
    expect(Math.abs(beepAt(pathOf(name)) - picture)).toBeLessThan(0.04);
    expect(Math.abs(pitchOf(pathOf(name)) / hertz - 1)).toBeLessThan(0.05);
    expect(Math.abs(loudnessOf(pathOf(name)) + 16)).toBeLessThan(1);
    const segments = segmentsOf(await readFile(pathOf(fileNames.rungAudioPlaylist(number)), "utf8"));
    expect(segments.every(({ seconds }) => seconds >= 1.96 && seconds <= 4.04)).toBe(true);
  }
  const whole = pathOf("video-180.mp4");
  expect(probe(whole).streams.map(({ codec_name }) => codec_name)).toEqual(["h264", "aac"]);
  expect(Math.abs(beepAt(whole) - flashAt(whole))).toBeLessThan(0.04);
  expect(flashAt(whole)).toBeCloseTo(2, 1);
  expect(Math.abs(pitchOf(whole) / 2000 - 1)).toBeLessThan(0.05);
});

test("a video that browsers do not play is watchable in its smallest size first, which is the ladder's own", async () => {
  const x265 = [
    "-c:v",
    "libx265",
    "-preset",
    "ultrafast",
    "-x265-params",
    "log-level=none",
    "-pix_fmt",
    "yuv420p10le",
  ];
  const picture = ["-f", "lavfi", "-i", "testsrc2=s=578x326:r=25:d=4"];
  const id = await saveVideo(made("hevc.mkv", ...picture, ...x265));
  // It is the only size, so the ladder is whole.
  const files = await filesOf(id);
  expect([...files.keys()].filter((name) => name.endsWith(".mp4"))).toEqual([
    ...["rung-326.mp4", "video-326.mp4"],
  ]);

  expect(await workOff()).toEqual(["candidate done", "sprite done", "hover done"]);
  for (const name of ["rung-326.mp4", "video-326.mp4"])
    expect((await filesOf(id)).get(name)).toEqual(files.get(name));
  await expectRung(files, 326, [578, 326], false);
  expect([...files.keys()].filter((name) => name.startsWith("rung-"))).toEqual([
    "rung-326.m3u8",
    "rung-326.mp4",
  ]);
  expect(files.get("video-326.mp4")?.version).toBe(1);
  const [row] = await db.execute(sql`SELECT duration_seconds, width, height FROM media`);
  expect(row).toMatchObject({ width: 578, height: 326 });
});

test("the size that an import makes is as loud, as long and cut as the sizes of the worker, and not made again", async () => {
  const path = made("mpeg4.mkv", ...testVideo(8), "-c:v", "mpeg4", "-q:v", "3", "-c:a", "aac");
  const id = await saveVideo(path);
  const before = await filesOf(id);
  expect([...before.keys()].filter((name) => /^(?:rung|video)/.test(name))).toEqual(["video-360.mp4"]);
  expect(before.get("video-360.mp4")?.version).toBe(1);
  expect(Math.abs(loudnessOf(before.get("video-360.mp4")?.path ?? "") + 16)).toBeLessThan(1);
  expect((await readFile(before.get("video-360.mp4")?.path ?? "")).indexOf("moov")).toBeLessThan(1000);

  expect(await workOff()).toEqual(
    ["rung-480", "video-480", "candidate", "sprite", "hover"].map((step) => `${step} done`),
  );
  const files = await filesOf(id);
  expect(files.get("video-360.mp4")).toEqual(before.get("video-360.mp4"));
  await expectRung(files, 480, [854, 480], true);
  await expectRung(files, 360, [640, 360], true);
  const pathsOf = (kind: string) => [480, 360].map((size) => files.get(`${kind}-${size}.mp4`)?.path ?? "");
  const [large, small] = pathsOf("rung").map(keyFrames);
  expect(small).toEqual(large);
  for (const each of [...pathsOf("rung"), ...pathsOf("video")]) {
    expect(Math.abs(loudnessOf(each) + 16)).toBeLessThan(1);
    expect(Number(probe(each).format.duration)).toBeCloseTo(8, 0);
  }
  const [row] = await db.execute(sql`SELECT duration_seconds, width, height FROM media`);
  expect(row).toMatchObject({ width: 854, height: 480 });
});
