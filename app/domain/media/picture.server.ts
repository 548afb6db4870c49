import sharp, { type Sharp } from "sharp";
import { PictureError } from "./picture-error.ts";
import { type ImageFormat, photoWidths } from "./renditions.ts";

/** A picture as a path or as bytes. */
export type PictureInput = string | Uint8Array;

/** Upright sRGB pixels without any of the file's metadata. */
export interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}

export interface OpenedPicture {
  /** Of the original, upright. */
  width: number;
  height: number;
  /** At the largest width that is made of it. */
  pixels: Pixels;
}

/** Above the largest cameras on sale, below what costs more than a few hundred megabytes to decode. */
const MAX_PIXELS = 65_000_000;
const MAX_SIDE = 20_000;
const FORMATS = ["jpeg", "png", "webp", "gif", "tiff", "heif"] as const;
const LOADERS = ["Jpeg", "Png", "Webp", "Nsgif", "Tiff", "Heif"];
const PAPER = "#ffffff";
const BLUR_GRID = 14;
const BLUR_SIGMA = 14;

// What is not a raster format (SVG can refer to other files) is never even parsed.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) });

/** Decodes once; all sizes are made from the result. Throws a PictureError. */
export async function openPicture(input: PictureInput): Promise<OpenedPicture> {
  if (input.length === 0) throw new PictureError("the file is empty");
  const image = sharp(input, { limitInputPixels: MAX_PIXELS, failOn: "error" });
  const { width, height } = await readHeader(image);
  const largest = Math.max(...photoWidths(width));
  try {
    const { data, info } = await image
      .autoOrient()
      .flatten({ background: PAPER })
      .resize({ width: largest, withoutEnlargement: true })
      .toColourspace("srgb")
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { width, height, pixels: { data, width: info.width, height: info.height } };
  } catch {
    throw new PictureError("the picture is damaged");
  }
}

/** Keeps the part of the picture that draws the eye. */
export async function cropPixels(pixels: Pixels, width: number, height: number): Promise<Pixels> {
  return readPixels(fromPixels(pixels).resize(width, height, { fit: "cover", position: "attention" }));
}

export async function encode(pixels: Pixels, width: number, format: ImageFormat) {
  const image = fromPixels(pixels).resize({ width });
  const encoded = format === "avif" ? image.avif({ quality: 55, effort: 3 }) : image.webp({ quality: 80 });
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Made from a grid of a few coloured cells, so there is nothing left to sharpen. */
export async function encodeBlur(pixels: Pixels, width: number, height: number): Promise<Buffer> {
  const cells = await readPixels(fromPixels(pixels).resize(BLUR_GRID, BLUR_GRID, { fit: "fill" }));
  return fromPixels(cells)
    .resize(width, height, { fit: "fill" })
    .blur(BLUR_SIGMA)
    .webp({ quality: 60 })
    .toBuffer();
}

/** "#rrggbb". */
export async function averageColor(pixels: Pixels): Promise<string> {
  const { channels } = await fromPixels(pixels).stats();
  return `#${channels.map(({ mean }) => Math.round(mean).toString(16).padStart(2, "0")).join("")}`;
}

async function readHeader(image: Sharp) {
  const header = await image.metadata().catch((error: Error) => {
    throw new PictureError(reasonOf(error));
  });
  if (!FORMATS.some((format) => format === header.format)) throw new PictureError("not a supported picture");
  if (header.format === "heif" && header.compression !== "av1") {
    throw new PictureError("HEIC is not supported; save it as JPEG first");
  }
  const { width, height } = header.autoOrient;
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE) throw new PictureError(TOO_LARGE);
  return { width, height };
}

const TOO_LARGE = `larger than ${MAX_PIXELS / 1_000_000} megapixels`;

function reasonOf({ message }: Error): string {
  if (message.includes("pixel limit")) return TOO_LARGE;
  if (message.includes("file is missing")) return "it is no longer there";
  return message.includes("corrupt") ? "the picture is damaged" : "not a supported picture";
}

function fromPixels({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

async function readPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
