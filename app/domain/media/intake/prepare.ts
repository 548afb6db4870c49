import type { photos } from "#db/schema/catalog.ts";
import type { MediaFileRow } from "../store-file.server.ts";

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
  onProgress: (part: number) => void;
}
