import type { Marker } from "#db/schema/catalog.ts";
import type { MediaFileRow } from "../store-file.server.ts";

export interface PreparedMedia {
  mediaId: string;
  contentHash: string;
  color: string;
  width: number;
  height: number;
  files: MediaFileRow[];
  video: { durationSeconds: number; hasAudio: boolean; markers: Marker[] } | null;
  photos: { position: number; width: number; height: number; color: string }[];
}

export interface PrepareOptions {
  signal: AbortSignal;
  onProgress: (part: number) => void;
  /** A plain reason, without the name of the file, why viewers do not get it as it is. */
  onWarning: (reason: string) => void;
}
