import sharp, { type Sharp } from "sharp";
import type { ImageFormat } from "./renditions.ts";

export interface Pixels {
  data: Buffer;
  width: number;
  height: number;
}

/** A longer picture first loses its ends: scaled to cover a card, a line of pixels would take gigapixels. */
const MAX_CROP_RATIO = 8;

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

const BLUR_GRID = 14;
const BLUR_SIGMA = 14;

/** Made from a grid of a few colors, so that no filter can bring the picture back. */
export async function encodeBlur(pixels: Pixels, width: number, height: number): Promise<Buffer> {
  const cells = await readPixels(fromPixels(pixels).resize(BLUR_GRID, BLUR_GRID, { fit: "fill" }));
  return fromPixels(cells)
    .resize(width, height, { fit: "fill" })
    .blur(BLUR_SIGMA)
    .webp({ quality: 60 })
    .toBuffer();
}

function fromPixels({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}

export async function readPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
