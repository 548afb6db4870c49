import type { PictureKind } from "./settings.ts";

export interface PictureFile {
  name: string;
  width: number;
  height: number;
  /** "inside": no larger than this, in its own shape. "square": whole, with clear edges. "cover": filled and cropped. */
  fit: "inside" | "square" | "cover";
  /** Phones and other sites show no transparency: they fill it with black. */
  isOpaque: boolean;
}

export const PICTURE_FILES: Record<PictureKind, readonly PictureFile[]> = {
  // The header shows it 32 pixels high, and screens have up to three for one.
  logo: [{ name: "logo.png", width: 720, height: 96, fit: "inside", isOpaque: false }],
  icon: [
    { name: "icon-32.png", width: 32, height: 32, fit: "square", isOpaque: false },
    { name: "icon-192.png", width: 192, height: 192, fit: "square", isOpaque: false },
    { name: "apple-touch-icon.png", width: 180, height: 180, fit: "square", isOpaque: true },
  ],
  share: [{ name: "share.jpg", width: 1200, height: 630, fit: "cover", isOpaque: true }],
};

export function contentTypeOf({ name }: { name: string }): string {
  return name.endsWith(".jpg") ? "image/jpeg" : "image/png";
}
