import { DAMAGED, PAPER, PictureError, type PictureLimits, readPicture } from "./picture.server.ts";

interface Fitted {
  width: number;
  height: number;
  /** "inside" keeps the shape, "square" adds clear edges, "cover" crops. */
  fit: "inside" | "square" | "cover";
  isOpaque: boolean;
}

const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };
const JPEG_QUALITY = 86;

export async function fitPicture(
  input: Uint8Array,
  { width, height, fit, isOpaque }: Fitted,
  limits: PictureLimits,
): Promise<Buffer> {
  const { image } = await readPicture(input, limits);
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
