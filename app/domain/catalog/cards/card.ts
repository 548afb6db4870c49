import type { Access } from "#app/domain/access/access.ts";
import type { MediaType } from "#app/paths.ts";
import type { PictureView } from "../media/picture-view.ts";

export interface MediaCardView {
  id: string;
  type: MediaType;
  slug: string;
  title: string;
  creators: { slug: string; name: string }[];
  access: Access;
  isLocked: boolean;
  durationSeconds: number | null;
  photoCount: number | null;
  cover: PictureView;
  isNew: boolean;
  /** Part already seen, 0 to 1; null when never opened or signed out. */
  progress: number | null;
  isCompleted: boolean;
  isFavorited: boolean | null;
}

export interface CreatorCardView {
  slug: string;
  name: string;
  videoCount: number;
  photoSetCount: number;
  portrait: PictureView | null;
}
