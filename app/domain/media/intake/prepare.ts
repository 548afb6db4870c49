import type { MediaFileRow } from "../store-file.server.ts";

export interface PreparedMedia {
  mediaId: string;
  contentHash: string;
  color: string;
  width: number;
  height: number;
  files: MediaFileRow[];
  video: { durationSeconds: number; hasAudio: boolean } | null;
  photos: { position: number; width: number; height: number; color: string }[];
}

export interface PrepareOptions {
  signal: AbortSignal;
  onProgress: (part: number) => void;
}
