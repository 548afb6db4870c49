import { readFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { lostPart } from "./jpeg/lost-part.ts";
import type { ImageFormat } from "./renditions.ts";

/** The message is a plain reason without the file's name. */
export class PictureError extends Error {}

export type PictureInput = string | Uint8Array;

export interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}

export interface OpenedPicture {
  width: number;
  height: number;
  /** "jpeg", "png", "webp", "gif", "tiff" or "avif". */
  format: string;
  pixels: Pixels;
  /** Its last rows are missing. */
  isCutOff: boolean;
}

/** Above the largest cameras on sale; decoding more would take over a few hundred megabytes. */
const MAX_PIXELS = 65_000_000;
const MAX_SIDE = 20_000;
/** WebP has no more; AVIF has one more. */
const MAX_MADE_SIDE = 16_383;
/** The middle of a longer picture is cropped: to cover a card, a line of pixels would be enlarged to gigapixels. */
const MAX_CROP_RATIO = 8;
const END_OF_JPEG = Buffer.from([0xff, 0xd9]);
/** The part of a damaged picture that must be there: more that is missing would be seen at once. */
const WHOLE_PART = 0.95;
const DAMAGED = "the picture is damaged";
const CUT_OFF = "the end of the file is missing, but nearly all of the picture is there";
const FAULTY = "damaged in places: nearly all of the picture is there, but look at it";
export const HEIC = "HEIC is not supported; save it as JPEG first";
const FORMATS = ["jpeg", "png", "webp", "gif", "tiff", "heif"] as const;
const LOADERS = ["Jpeg", "Png", "Webp", "Nsgif", "Tiff", "Heif"];
const PAPER = "#ffffff";

// Other loaders never run: an SVG, for example, can refer to other files.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) });

interface PictureLimits {
  /** Width × height × channels × bytes per channel. */
  maxDecodedBytes: number;
}

interface OpenOptions extends Partial<PictureLimits> {
  /** The width of the decoded pixels is no larger. Enough for all but photos when omitted. */
  widest?: number;
}

const WIDEST = 2560;

/**
 * Decodes once for all sizes; width and height are the original's, upright, reduced to what the formats hold. Throws a
 * PictureError, before decoding for pictures that are too large.
 */
export async function openPicture(
  input: PictureInput,
  { widest = WIDEST, ...limits }: OpenOptions = {},
): Promise<OpenedPicture> {
  if (input.length === 0) throw new PictureError("the file is empty");
  const image = sharp(input, { limitInputPixels: MAX_PIXELS, failOn: "error" });
  const header = await readHeader(image, limits);
  const { width, height } = reduced(header.autoOrient);
  // No other kind of HEIF passes the check of the header.
  const format = header.format === "heif" ? "avif" : header.format;
  try {
    const pixels = await decode(image, { width, height, widest });
    return { width, height, format, pixels, isCutOff: false };
  } catch {
    const closed = header.format === "jpeg" ? await closeJpeg(input) : input;
    if (!(await isNearlyWhole(closed, header))) throw new PictureError(DAMAGED);
    const pixels = await decode(sharp(closed, { failOn: "none" }), { width, height, widest });
    return { width, height, format, pixels, isCutOff: true };
  }
}

/**
 * Decodes all of it. Resolves with a plain reason to look at it, or null. Throws a PictureError, also where a good part
 * cannot be read, which openPicture() shows as gray or in wrong colors.
 */
export async function checkPicture(
  input: PictureInput,
  limits: Partial<PictureLimits> = {},
): Promise<string | null> {
  const { isCutOff } = await openPicture(input, limits);
  const { format, isProgressive } = await sharp(input).metadata();
  const lost = (format === "jpeg" && lostPart(await bytesOf(input))) || 0;
  if (lost > 1 - WHOLE_PART) throw new PictureError(DAMAGED);
  if (isCutOff) return format === "jpeg" ? CUT_OFF : FAULTY;
  // lostPart() does not follow the last scans of a progressive picture.
  const isFaulty = lost > 0 || (isProgressive && !(await isReadable(sharp(input, { failOn: "warning" }))));
  return isFaulty ? FAULTY : null;
}

interface Fitted {
  width: number;
  height: number;
  /** "inside": no larger than this, in its own shape. "square": whole, with clear edges. "cover": filled and cropped. */
  fit: "inside" | "square" | "cover";
  /** White instead of clear. */
  isOpaque: boolean;
}

const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };
const JPEG_QUALITY = 86;

/** A PNG that keeps clear parts, or a JPEG of a covered frame. Throws a PictureError. */
export async function fitPicture(
  input: Uint8Array,
  { width, height, fit, isOpaque }: Fitted,
  limits: PictureLimits,
): Promise<Buffer> {
  if (input.length === 0) throw new PictureError("the file is empty");
  const image = sharp(input, { limitInputPixels: MAX_PIXELS, failOn: "error" });
  await readHeader(image, limits);
  const fitted = image.autoOrient().toColourspace("srgb");
  const sized =
    fit === "cover"
      ? fitted.flatten({ background: PAPER }).resize({ width, height, fit, position: "attention" })
      : fitted.resize({
          ...{ width, height, background: CLEAR },
          fit: fit === "inside" ? "inside" : "contain",
          withoutEnlargement: fit === "inside",
        });
  const made = isOpaque ? sized.flatten({ background: PAPER }) : sized;
  const encoded = fit === "cover" ? made.jpeg({ quality: JPEG_QUALITY }) : made.png({ compressionLevel: 9 });
  return encoded.toBuffer().catch(() => {
    throw new PictureError(DAMAGED);
  });
}

async function decode(
  image: Sharp,
  { width, height, widest }: { width: number; height: number; widest: number },
): Promise<Pixels> {
  const made = Math.min(width, widest);
  const size = { width: made, height: Math.max(1, Math.round((height * made) / width)) };
  return readPixels(
    image
      .autoOrient()
      .flatten({ background: PAPER })
      .resize({ ...size, fit: "fill" })
      .toColourspace("srgb")
      .removeAlpha(),
  );
}

/** With an end, the codec reports the rows that are missing, instead of the end. */
async function closeJpeg(input: PictureInput): Promise<Buffer> {
  return Buffer.concat([await bytesOf(input), END_OF_JPEG]);
}

async function bytesOf(input: PictureInput): Promise<Uint8Array> {
  return typeof input === "string" ? readFile(input) : input;
}

async function isNearlyWhole(picture: PictureInput, { width, height }: { width: number; height: number }) {
  const whole = { left: 0, top: 0, width, height: Math.max(1, Math.floor(height * WHOLE_PART)) };
  return isReadable(sharp(picture, { failOn: "warning" }).extract(whole));
}

function isReadable(image: Sharp): Promise<boolean> {
  const decoded = image.resize({ width: 64 }).raw().toBuffer();
  return decoded.then(
    () => true,
    () => false,
  );
}

export async function cropPixels(pixels: Pixels, width: number, height: number): Promise<Pixels> {
  const middle = {
    width: Math.min(pixels.width, Math.ceil((pixels.height * MAX_CROP_RATIO * width) / height)),
    height: Math.min(pixels.height, Math.ceil((pixels.width * MAX_CROP_RATIO * height) / width)),
  };
  const left = Math.floor((pixels.width - middle.width) / 2);
  const top = Math.floor((pixels.height - middle.height) / 2);
  return readPixels(
    fromPixels(pixels)
      .extract({ left, top, ...middle })
      .resize(width, height, { fit: "cover", position: "attention" }),
  );
}

const ENCODERS: Record<ImageFormat | "jpeg", (image: Sharp) => Sharp> = {
  avif: (image) => image.avif({ quality: 55, effort: 3 }),
  webp: (image) => image.webp({ quality: 80 }),
  jpeg: (image) => image.jpeg({ quality: 90, progressive: true }),
};

export async function encode(pixels: Pixels, width: number, format: keyof typeof ENCODERS) {
  const encoded = ENCODERS[format](fromPixels(pixels).resize({ width }));
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

export async function averageColor(pixels: Pixels): Promise<string> {
  const { channels } = await fromPixels(pixels).stats();
  return `#${channels.map(({ mean }) => Math.round(mean).toString(16).padStart(2, "0")).join("")}`;
}

function reduced({ width, height }: { width: number; height: number }) {
  const part = Math.min(1, MAX_MADE_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * part)), height: Math.max(1, Math.round(height * part)) };
}

async function readHeader(image: Sharp, { maxDecodedBytes }: Partial<PictureLimits> = {}) {
  const header = await image.metadata().catch((error: Error) => {
    throw new PictureError(reasonOf(error));
  });
  if (!FORMATS.some((format) => format === header.format)) throw new PictureError("not a supported picture");
  if (header.format === "heif" && header.compression !== "av1") {
    throw new PictureError(HEIC);
  }
  const { width, height } = header.autoOrient;
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE) throw new PictureError(TOO_LARGE);
  const decodedBytes = width * height * header.channels * (BYTES_OF_DEPTH[header.depth] ?? LARGEST_DEPTH);
  if (maxDecodedBytes !== undefined && decodedBytes > maxDecodedBytes) {
    throw new PictureError(`it takes more than ${maxDecodedBytes / 1_000_000} MB when unpacked`);
  }
  return header;
}

const BYTES_OF_DEPTH: Record<string, number> = {
  char: 1,
  uchar: 1,
  short: 2,
  ushort: 2,
  int: 4,
  uint: 4,
  float: 4,
  complex: 8,
  double: 8,
  dpcomplex: 16,
};
const LARGEST_DEPTH = 16;
const TOO_LARGE = `larger than ${MAX_PIXELS / 1_000_000} megapixels`;

function reasonOf({ message }: Error): string {
  if (message.includes("pixel limit")) return TOO_LARGE;
  if (message.includes("file is missing")) return "it is no longer there";
  return message.includes("corrupt") ? DAMAGED : "not a supported picture";
}

function fromPixels({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

async function readPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const BLUR_GRID = 14;
const BLUR_SIGMA = 14;

/** Made from a grid of a few colored cells, so that it cannot be sharpened. */
export async function encodeBlur(pixels: Pixels, width: number, height: number): Promise<Buffer> {
  const cells = await readPixels(fromPixels(pixels).resize(BLUR_GRID, BLUR_GRID, { fit: "fill" }));
  return fromPixels(cells)
    .resize(width, height, { fit: "fill" })
    .blur(BLUR_SIGMA)
    .webp({ quality: 60 })
    .toBuffer();
}
