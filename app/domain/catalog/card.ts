import type { Access } from "#app/domain/billing/access.ts";
import type { ImageFormat } from "#app/domain/media/renditions.ts";
import type { MediaType } from "#app/paths.ts";

/** A picture ready for <picture>: everything that keeps the layout still is in it. */
export interface PictureView {
  alt: string;
  width: number;
  height: number;
  /** "#rrggbb" until it has loaded. */
  color: string;
  /** Of its files, which go on as "-<width>.<format>": a list of cards would be twice as long with all of them. */
  url: string;
  /** Smallest first. */
  widths: readonly number[];
  /** Best first; every browser takes the last. */
  formats: readonly ImageFormat[];
}

/** What a card in a list shows of a video or photo set. */
export interface MediaCardView {
  id: string;
  type: MediaType;
  slug: string;
  title: string;
  creators: { slug: string; name: string }[];
  access: Access;
  /** This viewer may not view it. */
  isLocked: boolean;
  durationSeconds: number | null;
  photoCount: number | null;
  cover: PictureView;
  /** Published since the viewer's last visit. */
  isNew: boolean;
  /** Part already seen, 0 to 1; null when never opened or signed out. */
  progress: number | null;
  isCompleted: boolean;
  /** Null when signed out. */
  isFavorited: boolean | null;
}

export interface CreatorCardView {
  slug: string;
  name: string;
  videoCount: number;
  photoSetCount: number;
  /** Null for one who has none, as whoever an import names for the first time. */
  portrait: PictureView | null;
}
