import { fromPixels, type Pixels, readPixels } from "./picture.server.ts";

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
