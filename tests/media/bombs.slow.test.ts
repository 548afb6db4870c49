import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { db } from "#db/client.server.ts";
import { H264, openImport } from "../support/import-folder.ts";

const { folder, ffmpeg, start, rows } = await openImport();

const LOOK_EVERY_MS = 20;
const BOUND_KB = 250 * 1024;
/** The import itself, which takes 200 MB for a small video. */
const OWN_BOUND_KB = 450 * 1024;
const PICTURES = 60_000_000;

/** Says that an MP4 of one second holds millions of pictures of one byte, all of which ffmpeg would list. */
async function claimPictures(path: string, pictures: number): Promise<void> {
  const bytes = await readFile(path);
  const tableAt = (name: string) => bytes.indexOf(name) + 4;
  bytes.writeUInt32BE(1, tableAt("stsz") + 4);
  bytes.writeUInt32BE(pictures, tableAt("stsz") + 8);
  bytes.writeUInt32BE(pictures, tableAt("stts") + 8);
  bytes.writeUInt32BE(pictures, tableAt("stsc") + 12);
  await writeFile(path, bytes);
}

/** A motion JPEG whose head and first pictures are small. */
function growPictures(path: string, side: number): void {
  const jpeg = (size: string) => {
    const input = ["-f", "lavfi", "-i", `color=size=${size}`, "-frames:v", "1", "-pix_fmt", "yuvj444p"];
    const options = { maxBuffer: 16_000_000 };
    return execFileSync("ffmpeg", ["-v", "error", ...input, "-f", "mjpeg", "pipe:1"], options);
  };
  const [small, large] = [jpeg("320x240"), jpeg(`${side}x${side}`)];
  const input = Buffer.concat([...Array(5).fill(small), ...Array(3).fill(large)]);
  const format = ["-f", "mjpeg", "-framerate", "5", "-i", "pipe:0"];
  execFileSync("ffmpeg", ["-v", "error", "-y", ...format, "-c", "copy", path], { input });
}

/** An element of Matroska; numbers have four bytes, and sizes eight. */
function element(id: number, ...content: (Uint8Array | string | number)[]): Buffer {
  const parts = content.map((part) => {
    if (typeof part === "string") return Buffer.from(part);
    if (typeof part !== "number") return part;
    const number = Buffer.alloc(4);
    number.writeUInt32BE(part);
    return number;
  });
  const body = Buffer.concat(parts);
  const head = Buffer.from(id.toString(16).padStart(id > 0xff_ff_ff ? 8 : 2, "0"), "hex");
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE((1n << 56n) | BigInt(body.length));
  return Buffer.concat([head, size, body]);
}

/** A motion JPEG of a second with so many tracks of captions, each of another language, that are packed small. */
async function packCaptions(path: string, tracks: number, bytes: number): Promise<void> {
  const frame = await sharp({ create: { width: 160, height: 90, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();
  const packed = deflateSync("words of a caption ".repeat(bytes / 19));
  const all = Array.from({ length: tracks }, (_, at) => at + 2);
  const zlib = element(0x6d80, element(0x6240, element(0x5034, element(0x4254, 0))));
  const block = (track: number, at: number) => Buffer.from([0x40 | (track >> 8), track & 0xff, 0, at, 0]);
  const head = [
    element(0x1549a966, element(0x2ad7b1, 1_000_000), element(0x4d80, "x"), element(0x5741, "x")),
    element(
      0x1654ae6b,
      element(
        0xae,
        ...[element(0xd7, 1), element(0x73c5, 1), element(0x83, 1), element(0x86, "V_MJPEG")],
        element(0xe0, element(0xb0, 160), element(0xba, 90)),
      ),
      ...all.map((track) =>
        element(
          0xae,
          ...[element(0xd7, track), element(0x73c5, track), element(0x83, 0x11)],
          ...[
            element(0x86, "S_TEXT/UTF8"),
            element(0x22b59c, `en-x-${String(track).padStart(4, "0")}`),
            zlib,
          ],
        ),
      ),
    ),
  ];
  const cluster = element(
    0x1f43b675,
    element(0xe7, 0),
    ...Array.from({ length: 5 }, (_, at) => element(0xa3, block(1, at * 20), frame)),
    ...all.map((track) => element(0xa0, element(0xa1, block(track, 100), packed), element(0x9b, 500))),
    ...Array.from({ length: 5 }, (_, at) => element(0xa3, block(1, 100 + at * 20), frame)),
  );
  const ebml = element(0x1a45dfa3, element(0x4282, "matroska"), element(0x4287, 4), element(0x4285, 2));
  await writeFile(path, Buffer.concat([ebml, element(0x18538067, ...head, cluster)]));
}

/** The most that the process itself took, and the most that one of the programs which it has started took, in kB. */
function watchMemory(pid: number): () => { own: number; started: number } {
  const peak = { own: 0, started: 0 };
  const mostOf = (of: number | string) =>
    Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${of}/status`, "utf8"))?.[1] ?? 0);
  const look = (of: number) => {
    try {
      for (const child of readFileSync(`/proc/${of}/task/${of}/children`, "utf8").trim().split(" ")) {
        if (child === "") continue;
        peak.started = Math.max(peak.started, mostOf(child));
        look(Number(child));
      }
    } catch {
      // It has ended meanwhile.
    }
  };
  const timer = setInterval(() => {
    look(pid);
    if (existsSync(`/proc/${pid}/status`)) peak.own = Math.max(peak.own, mostOf(pid));
  }, LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

test("small files that would unpack to gigabytes take little memory, and the next one is imported", async () => {
  await claimPictures(ffmpeg("a index.mp4", [...H264, "-bf", "0"], { audio: false }), PICTURES);
  growPictures(join(folder, "b pictures.avi"), 10_000);
  ffmpeg("c good.mp4", [...H264]);
  const { child, ended } = start();
  onTestFinished(() => void child.kill("SIGKILL"));
  const peakKb = watchMemory(child.pid ?? 0);
  const { output } = await ended;
  expect(output).toMatch(/refused +a index\.mp4: its video track has no pictures/);
  expect(output).toMatch(/warning +b pictures\.avi: damaged in places/);
  expect(await rows()).toMatchObject([{ title: "b pictures", width: 320 }, { title: "c good" }]);
  expect(peakKb().started).toBeGreaterThan(10_000);
  expect(peakKb().started).toBeLessThan(BOUND_KB);
}, 120_000);

test("hundreds of embedded captions take little memory, and no more than a video may have are imported", async () => {
  const path = join(folder, "captions.mkv");
  await packCaptions(path, 300, 2_000_000);
  expect((await stat(path)).size).toBeLessThan(2_000_000);
  const { child, ended } = start();
  onTestFinished(() => void child.kill("SIGKILL"));
  const peakKb = watchMemory(child.pid ?? 0);
  const { output } = await ended;
  expect(output).toMatch(/warning +captions\.mkv: only 20 of its 300 captions are imported/);
  expect(output).toMatch(
    /captions inside it were left out: .*: together with those before it, they are larger than 20 MB/,
  );
  const [taken] = await db.execute<{ captions: number }>(
    sql`SELECT count(*)::int AS captions FROM media_files WHERE name LIKE '%.vtt'`,
  );
  expect(taken?.captions).toBe(10);
  expect(peakKb().started).toBeLessThan(BOUND_KB);
  expect(peakKb().own).toBeLessThan(OWN_BOUND_KB);
}, 120_000);
