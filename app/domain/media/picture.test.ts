import sharp from "sharp";
import { expect, test } from "vitest";
import { encodeBlur } from "./blur.server.ts";
import { averageColor, cropPixels, encode, openPicture } from "./picture.server.ts";

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
  for (const format of ["avif", "webp"] as const) {
    const { data } = await encode(pixels, 480, format);
    expect(data.includes("CANARY-CAMERA")).toBe(false);
    const { exif, xmp, iptc } = await sharp(data).metadata();
    expect({ exif, xmp, iptc }).toEqual({ exif: undefined, xmp: undefined, iptc: undefined });
  }
});

test("CMYK and progressive JPEGs keep their colours in sRGB", async () => {
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

const noise = sharp({
  create: {
    width: 400,
    height: 400,
    channels: 3,
    background: "#000",
    noise: { type: "gaussian", mean: 128, sigma: 50 },
  },
});
const baseline = await noise.clone().jpeg().toBuffer();
const progressive = await noise.clone().jpeg({ progressive: true }).toBuffer();

test.each([
  ["a JPEG without its last two bytes", baseline.subarray(0, -2)],
  ["a JPEG without its last byte", baseline.subarray(0, -1)],
  ["a JPEG without its last hundredth", baseline.subarray(0, baseline.length * 0.99)],
  ["a progressive JPEG without its last two bytes", progressive.subarray(0, -2)],
])("%s is opened as cut off", async (_, bytes) => {
  const { width, height, isCutOff } = await openPicture(bytes);
  expect({ width, height, isCutOff }).toEqual({ width: 400, height: 400, isCutOff: true });
});

test.each([
  ["a JPEG without its last tenth", baseline.subarray(0, baseline.length * 0.9)],
  ["half a JPEG", baseline.subarray(0, baseline.length / 2)],
  ["half a progressive JPEG", progressive.subarray(0, progressive.length / 2)],
])("%s is refused", async (_, bytes) => {
  await expect(openPicture(bytes)).rejects.toThrow("the picture is damaged");
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
