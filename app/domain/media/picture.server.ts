import { open, readFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { EMPTY_FILE, MAX_MEGAPIXELS } from "#app/file-limits.ts";
import { sizeText } from "#app/sizes.ts";
import { makeSrgb, type NamedColor, namedColor } from "./picture-color.ts";
import { type Pixels, readPixels } from "./pixels.server.ts";

/** Its message is for people and names no file. */
export class PictureError extends Error {}

export type PictureInput = string | Uint8Array;

export interface OpenedPicture {
  width: number;
  height: number;
  format: string;
  pixels: Pixels;
  warning: string | null;
}

const MAX_PIXELS = MAX_MEGAPIXELS * 1_000_000;
const MAX_SIDE = 20_000;
/** The limit of WebP. */
const MAX_MADE_SIDE = 16_383;
/** The AVIF encoder's frame is this much wider and higher than its picture: decision 207. */
const ENCODER_BORDER = 576;
/** A larger frame would not fit into the program's memory. */
const MAX_ENCODED_PIXELS = 22_000_000;
const END_OF_JPEG = Buffer.from([0xff, 0xd9]);
/** Viewers would notice at once if more rows were missing. */
const WHOLE_PART = 0.95;
export const DAMAGED = "the picture is damaged";
const CUT_OFF = "the end of the file is missing, but nearly all of the picture is there";
const FAULTY = "damaged: check the picture before you publish it";
/** libjpeg also warns about an odd version number in an intact file. */
const FAULTS = /Corrupt JPEG data|premature end/;
const HDR = "HDR is not supported; save it with standard colors (SDR) first";
export const GONE = "it is no longer there";
const NOT_SUPPORTED = "not a supported picture";
export const HEIC = "HEIC is not supported; save it as JPEG first";
const FORMATS = ["jpeg", "png", "webp", "gif", "tiff", "heif"] as const;
const LOADERS = ["Jpeg", "Png", "Webp", "Nsgif", "Tiff", "Heif"];
export const PAPER = "#ffffff";

// Other loaders are blocked: an SVG, for example, can refer to other files.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) });

export interface PictureLimits {
  /** Width × height × channels × bytes per channel. */
  maxDecodedBytes: number;
}

interface OpenOptions extends Partial<PictureLimits> {
  widest?: number;
}

const WIDEST = 2560;

/**
 * Width and height are the original's, upright, but reduced to what can be encoded. Throws a PictureError; a picture that is
 * too large is refused before it is decoded.
 */
export async function openPicture(
  input: PictureInput,
  { widest = WIDEST, ...limits }: OpenOptions = {},
): Promise<OpenedPicture> {
  const { image, header } = await readPicture(input, limits);
  const { width, height } = reduced(header.autoOrient, widest);
  // The header check refuses other kinds of HEIF.
  const format = header.format === "heif" ? "avif" : header.format;
  const isNamed = !header.hasProfile && (format === "png" || format === "avif");
  const color = isNamed ? await readColor(input) : null;
  if (color?.isHdr) throw new PictureError(HDR);
  const size = { width, height, widest, color };
  const strict = format === "jpeg" ? sharp(input, { failOn: "warning" }) : image;
  try {
    const pixels = await decode(strict, size).catch((error) => {
      if (format !== "jpeg" || FAULTS.test(error.message)) throw error;
      return decode(image, size);
    });
    return { width, height, format, pixels, warning: null };
  } catch (error) {
    const closed = format === "jpeg" ? await closeJpeg(input) : input;
    if (!(await isNearlyWhole(closed, header))) throw new PictureError(DAMAGED);
    const pixels = await decode(sharp(closed, { failOn: "none" }), size);
    const isCutOff = String(error).includes("premature end of JPEG image");
    return { width, height, format, pixels, warning: isCutOff ? CUT_OFF : FAULTY };
  }
}

async function decode(
  image: Sharp,
  {
    width,
    height,
    widest,
    color,
  }: { width: number; height: number; widest: number; color: NamedColor | null },
): Promise<Pixels> {
  const made = Math.min(width, widest);
  const size = { width: made, height: Math.max(1, Math.round((height * made) / width)) };
  const pixels = await readPixels(
    image
      .autoOrient()
      .flatten({ background: PAPER })
      .resize({ ...size, fit: "fill" })
      .toColourspace("srgb")
      .removeAlpha(),
  );
  if (color !== null) makeSrgb(pixels, color);
  return pixels;
}

/** Both formats declare their colors before their pixels. */
async function readColor(input: PictureInput): Promise<NamedColor | null> {
  if (typeof input !== "string") return namedColor(Buffer.from(input.subarray(0, HEAD_BYTES)));
  const handle = await open(input);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return namedColor(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

const HEAD_BYTES = 65_536;

/** With an end marker, the codec reports missing rows instead of a missing end. */
async function closeJpeg(input: PictureInput): Promise<Buffer> {
  return Buffer.concat([typeof input === "string" ? await readFile(input) : input, END_OF_JPEG]);
}

/** Decodes only the rows that must be there. A progressive JPEG needs its whole file even for those. */
function isNearlyWhole(picture: PictureInput, { width, height }: { width: number; height: number }) {
  const whole = { left: 0, top: 0, width, height: Math.max(1, Math.floor(height * WHOLE_PART)) };
  const decoded = sharp(picture, { failOn: "warning" }).extract(whole).resize({ width: 64 }).raw().toBuffer();
  return decoded.then(
    () => true,
    () => false,
  );
}

function reduced({ width, height }: { width: number; height: number }, widest: number) {
  const most = mostEncodedWidth(height / width);
  const part = Math.min(1, MAX_MADE_SIDE / Math.max(width, height), widest > most ? most / width : 1);
  return { width: Math.max(1, Math.round(width * part)), height: Math.max(1, Math.round(height * part)) };
}

function mostEncodedWidth(ratio: number): number {
  const half = (ENCODER_BORDER * (1 + ratio)) / (2 * ratio);
  return Math.sqrt(half ** 2 + (MAX_ENCODED_PIXELS - ENCODER_BORDER ** 2) / ratio) - half;
}

export async function readPicture(input: PictureInput, limits: Partial<PictureLimits>) {
  if (input.length === 0) throw new PictureError(EMPTY_FILE);
  const image = sharp(input, { limitInputPixels: MAX_PIXELS, failOn: "error" });
  return { image, header: await readHeader(image, limits) };
}

async function readHeader(image: Sharp, { maxDecodedBytes }: Partial<PictureLimits>) {
  const header = await image.metadata().catch((error: Error) => {
    throw new PictureError(reasonOf(error));
  });
  if (!FORMATS.some((format) => format === header.format)) throw new PictureError(NOT_SUPPORTED);
  if (header.format === "heif" && header.compression !== "av1") {
    throw new PictureError(HEIC);
  }
  const { width, height } = header.autoOrient;
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE) throw new PictureError(TOO_LARGE);
  const decodedBytes = width * height * header.channels * (BYTES_OF_DEPTH[header.depth] ?? LARGEST_DEPTH);
  if (maxDecodedBytes !== undefined && decodedBytes > maxDecodedBytes) {
    throw new PictureError(`it takes more than ${sizeText(maxDecodedBytes)} when unpacked`);
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
const TOO_LARGE = `larger than ${MAX_MEGAPIXELS} megapixels`;

function reasonOf({ message }: Error): string {
  if (message.includes("pixel limit")) return TOO_LARGE;
  if (message.includes("file is missing")) return GONE;
  return message.includes("corrupt") ? DAMAGED : NOT_SUPPORTED;
}
