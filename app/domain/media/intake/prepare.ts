import type { photos } from "#db/schema/catalog.ts";
import type { MediaFileRow } from "../store-file.server.ts";

/** All files of one video or set are in the storage; what is left is to write its rows. */
export interface PreparedMedia {
  mediaId: string;
  contentHash: string;
  color: string;
  width: number;
  height: number;
  files: MediaFileRow[];
  video: { durationSeconds: number; hasAudio: boolean } | null;
  photos: Pick<typeof photos.$inferInsert, "position" | "width" | "height" | "color">[];
}

export interface PrepareOptions {
  signal: AbortSignal;
  /** Part done, 0 to 1. */
  onProgress: (part: number) => void;
}
