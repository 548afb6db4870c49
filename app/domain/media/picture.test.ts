import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { openPicture } from "./picture.server.ts";
import { averageColor, cropPixels, encode, encodeBlur } from "./pixels.server.ts";

const rose = { r: 217, g: 45, b: 114 };

function picture(width: number, height: number, channels: 3 | 4 = 3) {
  const background = channels === 4 ? { ...rose, alpha: 0 } : rose;
  return sharp({ create: { width, height, channels, background } });
}

test("orientation is applied before anything is measured", async () => {
  const turned = await picture(60, 40).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  expect(await openPicture(turned)).toMatchObject({ width: 40, height: 60 });
});

test("the original's location and camera are in no derivative", async () => {
  const original = await picture(600, 400)
    .withExif({
      IFD0: { Make: "CANARY-CAMERA" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1" },
    })
    .jpeg()
    .toBuffer();
  expect(original.includes("CANARY-CAMERA")).toBe(true);
  const { pixels } = await openPicture(original);
  for (const format of ["avif", "webp", "jpeg"] as const) {
    const { data } = await encode(pixels, 480, format);
    expect(data.includes("CANARY-CAMERA")).toBe(false);
    const { exif, xmp, iptc } = await sharp(data).metadata();
    expect({ exif, xmp, iptc }).toEqual({ exif: undefined, xmp: undefined, iptc: undefined });
  }
});

test("CMYK and progressive JPEGs keep their colors in sRGB", async () => {
  const cmyk = await picture(50, 50).toColourspace("cmyk").jpeg({ progressive: true }).toBuffer();
  expect((await sharp(cmyk).metadata()).space).toBe("cmyk");
  const { pixels } = await openPicture(cmyk);
  expect(pixels.data.length).toBe(50 * 50 * 3);
  expect(pixels.data[0] ?? 0).toBeGreaterThan(pixels.data[1] ?? 255);
});

test("transparent pixels become the color of paper", async () => {
  const { pixels } = await openPicture(await picture(50, 50, 4).png().toBuffer());
  expect(await averageColor(pixels)).toBe("#ffffff");
});

function chunk(name: string, ...data: number[]): Buffer {
  const named = Buffer.concat([Buffer.from(name), Buffer.from(data)]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

const gamma = (value: number) => chunk("gAMA", 0, value >> 16, (value >> 8) & 255, value & 255);

/** An orange in the colors that the chunks behind the head name. */
async function namedPng(color: string, ...chunks: Buffer[]): Promise<Buffer> {
  const plain = await sharp({ create: { width: 40, height: 30, channels: 3, background: color } })
    .png()
    .toBuffer();
  return Buffer.concat([plain.subarray(0, 33), ...chunks, plain.subarray(33)]);
}

async function namedAvif(primaries: string, transfer: string): Promise<Buffer> {
  const pixels = `color=c=0xd0684a:s=64x64,format=gbrp,scale=out_color_matrix=bt709:out_range=pc,format=yuv444p`;
  const named = `setparams=range=pc:color_primaries=${primaries}:color_trc=${transfer}:colorspace=bt709`;
  const path = join(mkdtempSync(join(tmpdir(), "peony-avif-")), "1.avif");
  execFileSync("ffmpeg", [
    ...["-nostdin", "-v", "error", "-f", "lavfi", "-i", `${pixels},${named}`, "-frames:v", "1"],
    ...["-c:v", "libaom-av1", "-still-picture", "1", "-cpu-used", "8", "-crf", "4"],
    ...[
      "-color_primaries",
      primaries,
      "-color_trc",
      transfer,
      "-colorspace",
      "bt709",
      "-color_range",
      "pc",
      path,
    ],
  ]);
  return readFileSync(path);
}

test.each([
  ["linear light", () => namedPng("#be1e0d", gamma(100_000))],
  ["the gamma of old Macs", () => namedPng("#d84d31", gamma(55_556))],
  ["Display P3", () => namedPng("#d0684a", chunk("cICP", 12, 13, 0, 1))],
  ["Display P3, before an sRGB", () => namedPng("#d0684a", chunk("cICP", 12, 13, 0, 1), chunk("sRGB", 0))],
  ["sRGB, before a gamma", () => namedPng("#e06040", gamma(100_000), chunk("sRGB", 0))],
  ["Display P3 in an AVIF", () => namedAvif("smpte432", "iec61966-2-1")],
])("a picture that names %s is shown as a browser shows it", async (_, make) => {
  const { pixels } = await openPicture(await make());
  const shown =
    (await averageColor(pixels)).match(/[\da-f]{2}/g)?.map((each) => Number.parseInt(each, 16)) ?? [];
  const away = [0xe0, 0x60, 0x40].map((value, channel) => Math.abs(value - (shown[channel] ?? 0)));
  expect(Math.max(...away), shown.join()).toBeLessThanOrEqual(8);
});

test.each([
  ["PNG", () => namedPng("#808080", chunk("cICP", 9, 16, 0, 1))],
  ["AVIF", () => namedAvif("bt2020", "arib-std-b67")],
])("an HDR %s is refused with its reason", async (_, make) => {
  await expect(openPicture(await make())).rejects.toThrow("HDR is not supported");
});

test("only the first frame of a GIF is used", async () => {
  expect(await openPicture(await picture(33, 21).gif().toBuffer())).toMatchObject({ width: 33, height: 21 });
});

test("a blur keeps no detail finer than its grid", async () => {
  const stripes = Buffer.alloc(960 * 540 * 3);
  for (let i = 0; i < stripes.length; i++) stripes[i] = Math.floor(i / 3) % 8 < 4 ? 0 : 255;
  const blurred = await encodeBlur({ data: stripes, width: 960, height: 540 }, 480, 270);
  const { channels } = await sharp(blurred).stats();
  expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeLessThan(6);
});

test.each([
  [
    "an SVG",
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    "not a supported picture",
  ],
  ["a text", Buffer.from("only words"), "not a supported picture"],
  ["nothing", Buffer.alloc(0), "the file is empty"],
])("%s is refused with one reason", async (_, bytes, reason) => {
  await expect(openPicture(bytes)).rejects.toThrow(reason);
});

test("a pixel bomb is refused before it is decoded", async () => {
  const bomb = await sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: "#000" } })
    .png()
    .toBuffer();
  // Printing the pixels of a failure would take minutes.
  const opened = openPicture(bomb).then(({ width, height }) => ({ width, height }));
  await expect(opened).rejects.toThrow("larger than 65 megapixels");
});

const pixels = Array.from(
  { length: 400 * 400 * 3 },
  (_, index) => Math.abs((Math.sin(index) * 43_758) % 1) * 255,
);
const noise = sharp(Buffer.from(pixels), { raw: { width: 400, height: 400, channels: 3 } });
const baseline = await noise.clone().jpeg().toBuffer();
const progressive = await noise.clone().jpeg({ progressive: true }).toBuffer();

test.each([
  ["a JPEG without its last two bytes", baseline.subarray(0, -2)],
  ["a JPEG without its last byte", baseline.subarray(0, -1)],
  ["a JPEG without its last hundredth", baseline.subarray(0, baseline.length * 0.99)],
  ["a progressive JPEG without its last two bytes", progressive.subarray(0, -2)],
])("%s is imported with a warning that its end is missing", async (_, bytes) => {
  const { width, height, warning } = await openPicture(bytes);
  expect([width, height, warning]).toEqual([
    400,
    400,
    expect.stringMatching(/^the end of the file is missing/),
  ]);
});

/** Most of the bytes of a picture are codes; a few hundred at its beginning describe it. */
function withBytes(picture: Buffer, part: number, ...values: number[]): Buffer {
  const damaged = Buffer.from(picture);
  damaged.set(values, Math.floor(picture.length * part));
  return damaged;
}

/** Cameras put a mark behind each few blocks, at which a decoder can begin again. */
function withMarks(): Promise<Buffer> {
  const args = [
    "-f",
    "lavfi",
    "-i",
    "testsrc2=s=640x480",
    "-frames:v",
    "1",
    "-threads",
    "1",
    "-slices",
    "30",
  ];
  const image = ["-c:v", "mjpeg", "-q:v", "2", "-f", "image2pipe", "pipe:1"];
  return Promise.resolve(execFileSync("ffmpeg", ["-nostdin", "-v", "error", ...args, ...image]));
}

const scratch = Array.from({ length: 64 }, () => 0x55);
const hole = Array.from({ length: 4000 }, () => 0);
const marker = [0xff, 0xd9];
const png = await noise.clone().png().toBuffer();

test.each([
  ["a JPEG with a marker near its end", withBytes(baseline, 0.97, 0xff, 0xc4)],
  ["a JPEG without a piece", Buffer.concat([baseline.subarray(0, 10_000), baseline.subarray(12_000)])],
])("%s is imported with a warning", async (_, bytes) => {
  expect((await openPicture(bytes)).warning).toMatch(/check the picture/);
});

test.each([
  ["a JPEG without its last tenth", baseline.subarray(0, baseline.length * 0.9)],
  ["half a JPEG", baseline.subarray(0, baseline.length / 2)],
  ["half a progressive JPEG", progressive.subarray(0, progressive.length / 2)],
  ["a progressive JPEG without its last hundredth", progressive.subarray(0, progressive.length * 0.99)],
  ["a JPEG that ends in its middle and goes on", withBytes(baseline, 0.5, ...marker)],
  ["a JPEG with marks and a scratch", withBytes(await withMarks(), 0.3, ...scratch)],
  ["a JPEG with marks and a large hole", withBytes(await withMarks(), 0.3, ...hole, ...hole, ...hole)],
  ["a progressive JPEG with a hole", withBytes(progressive, 0.2, ...hole)],
  ["a progressive JPEG with a marker in its last scan", withBytes(progressive, 0.9, 0xff, 0x01)],
  ["a PNG with a scratch", withBytes(png, 0.5, ...scratch)],
])("%s is refused", async (_, bytes) => {
  await expect(openPicture(bytes)).rejects.toThrow("the picture is damaged");
});

test.each([
  ["progressive", progressive],
  ["of four inks", await noise.clone().toColourspace("cmyk").jpeg().toBuffer()],
  ["with marks", await withMarks()],
  ["with padding", Buffer.concat([baseline.subarray(0, -2), Buffer.alloc(8), Buffer.from(marker)])],
  ["with something behind it", Buffer.concat([baseline, baseline.subarray(0, 3000)])],
])("a whole JPEG %s is imported without a warning", async (_, bytes) => {
  expect((await openPicture(bytes)).warning).toBe(null);
});

test.each([
  [1, 20_000, 1, 16_383],
  [20_000, 1, 16_383, 1],
  [60, 18_000, 55, 16_383],
])("a picture of %i by %i is reduced, and its card is cropped", async (width, height, ...made) => {
  const picture = await sharp({ create: { width, height, channels: 3, background: rose } })
    .png()
    .toBuffer();
  const opened = await openPicture(picture);
  expect([opened.width, opened.height]).toEqual(made);
  expect(opened.pixels.height).toBeLessThan(16_384);
  expect(await cropPixels(opened.pixels, 96, 120)).toMatchObject({ width: 96, height: 120 });
});
