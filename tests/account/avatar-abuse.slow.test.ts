import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createMember, signedInCookie } from "#tests/support/people.ts";
import { forgetPeak, memoryMb } from "#tests/support/process/process-figures.ts";
import { startSite } from "#tests/support/site.ts";

const MAX_GROWTH_MB = 64;
const MAX_UPLOAD_BYTES = 5 * 1024 * 1024;
const MB = 1_000_000;
/** Generating the largest pictures takes seconds of a free processor. */
vi.setConfig({ testTimeout: 180_000 });

const site = await startSite();
afterAll(() => site.stop());
const pid = site.process.pid ?? 0;

beforeAll(async () => {
  for (let turn = 0; turn < 3; turn += 1) await upload(await flat(300, 300).png().toBuffer());
});

test.each<[string, 303 | 422, () => Buffer | Promise<Buffer>]>([
  ["a PNG of 20 megapixels", 303, () => flat(5_000, 4_000, 4).png().toBuffer()],
  [
    "a PNG of 30 megapixels with 16 bits a channel",
    422,
    () => flat(6_000, 5_000).toColourspace("rgb16").png().toBuffer(),
  ],
  [
    "a progressive JPEG of 30 megapixels",
    303,
    () => flat(6_000, 5_000).jpeg({ progressive: true }).toBuffer(),
  ],
  ["a WebP of 30 megapixels", 303, () => flat(6_000, 5_000).webp({ effort: 0 }).toBuffer()],
  ["an AVIF of 9 megapixels", 303, () => flat(3_000, 3_000).avif({ effort: 0 }).toBuffer()],
  ["a GIF of 200 pictures", 303, () => animated(400, 200).gif({ effort: 1 }).toBuffer()],
  ["a PNG of one by 100,000 pixels", 422, () => flat(1, 100_000).png().toBuffer()],
  ["a PNG that says it has four gigapixels", 422, () => png(65_535, 65_535)],
  [
    "a PNG with a text that unpacks to 200 MB",
    303,
    () => withChunk(png(1, 1, [0, 1, 2, 3]), "zTXt", 200 * MB),
  ],
  ["a JPEG with metadata of 4 MB", 303, async () => withSegments(await flat(400, 400).jpeg().toBuffer(), 64)],
  ["half a JPEG", 422, async () => half(await noise(1_000, 1_000).jpeg().toBuffer())],
  [
    "an SVG",
    422,
    () => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="60000" height="60000"/>`),
  ],
])("%s is answered with %i, and the web process hardly uses more memory", async (_, status, make) => {
  const bytes = await make();
  expect(bytes.length).toBeLessThan(MAX_UPLOAD_BYTES);
  const { now } = memoryMb(pid);
  forgetPeak(pid);
  const { id, answer } = await upload(bytes);
  expect(memoryMb(pid).peak - now).toBeLessThan(MAX_GROWTH_MB);
  expect(answer.status).toBe(status);
  const stored = await readdir(join(site.dataDir, "media", "avatars", id)).catch(() => []);
  expect(stored).toHaveLength(status === 303 ? 1 : 0);
});

test("concurrent uploads of many people are processed one after another", async () => {
  const picture = await flat(5_000, 4_000, 4).png().toBuffer();
  const { now } = memoryMb(pid);
  forgetPeak(pid);
  const answers = await Promise.all(Array.from({ length: 5 }, () => upload(picture)));
  expect(answers.map(({ answer }) => answer.status)).toEqual(Array(5).fill(303));
  expect(memoryMb(pid).peak - now).toBeLessThan(MAX_GROWTH_MB);
});

async function upload(bytes: Buffer) {
  const { id } = await createMember();
  const body = new FormData();
  body.set("avatar", new File([new Uint8Array(bytes)], "me.png", { type: "image/png" }));
  const headers = { cookie: await signedInCookie(id), origin: site.origin };
  const answer = await site.fetch("/user/account", { method: "POST", body, headers });
  await answer.text();
  return { id, answer };
}

function flat(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  return sharp({ create: { width, height, channels, background: "#814" }, limitInputPixels: false });
}

function noise(width: number, height: number): Sharp {
  const background = { create: { width, height, channels: 3 as const, background: "#000" } };
  return sharp({ create: { ...background.create, noise: { type: "gaussian", mean: 128, sigma: 40 } } });
}

function animated(side: number, count: number): Sharp {
  const pixels = Buffer.alloc(side * side * count * 3);
  for (let picture = 0; picture < count; picture += 1) {
    pixels.fill(picture, picture * side * side * 3, (picture + 1) * side * side * 3);
  }
  const raw = { width: side, height: side * count, channels: 3 as const, pageHeight: side };
  return sharp(pixels, { raw, limitInputPixels: false });
}

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2);
}

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/** The pixels are 8-bit RGB. */
function png(width: number, height: number, pixels: number[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const data = deflateSync(Buffer.from(pixels));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Inserts a compressed text or profile chunk of zeros after the header. */
function withChunk(picture: Buffer, type: "zTXt" | "iCCP", unpackedBytes: number): Buffer {
  const behindHeader = SIGNATURE.length + 25;
  const packed = deflateSync(Buffer.alloc(unpackedBytes));
  const bomb = chunk(type, Buffer.concat([Buffer.from("a\0\0"), packed]));
  return Buffer.concat([picture.subarray(0, behindHeader), bomb, picture.subarray(behindHeader)]);
}

/** Inserts 64 KB segments after the start of a JPEG, as cameras write them. */
function withSegments(picture: Buffer, count: number): Buffer {
  const segment = Buffer.concat([Buffer.from("ffe2ffff", "hex"), Buffer.alloc(0xffff - 2, "x")]);
  return Buffer.concat([picture.subarray(0, 2), ...Array<Buffer>(count).fill(segment), picture.subarray(2)]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
