import type { ImageFormat } from "#app/domain/media/renditions.ts";

export interface PictureView {
  alt: string;
  width: number;
  height: number;
  /** "#rrggbb", shown until it has loaded. */
  color: string;
  /** Start of its files' URLs; "-<width>.<format>" follows. All URLs in full would double the size of a list. */
  url: string;
  widths: readonly number[];
  /** Best first; every browser supports the last. */
  formats: readonly ImageFormat[];
}
