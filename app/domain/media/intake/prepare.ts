import type { Marker } from "#db/schema/catalog.ts";
import type { MediaFileRow } from "../store-file.server.ts";
import type { OriginalRow } from "./keep-original.server.ts";

export interface PreparedMedia {
  mediaId: string;
  contentHash: string;
  color: string;
  width: number;
  height: number;
  files: MediaFileRow[];
  /** Empty where the host keeps none. */
  originals: OriginalRow[];
  video: PreparedVideo | null;
  photos: PreparedPhoto[];
}

interface PreparedVideo {
  durationSeconds: number;
  hasAudio: boolean;
  markers: Marker[];
  /** The host keeps no originals, so this one goes when everything is made of it. */
  isOriginalTemporary: boolean;
}

interface PreparedPhoto {
  number: number;
  position: number;
  /** sha256 (hex) of the picture file. */
  sourceHash: string;
  width: number;
  height: number;
  widest: number;
  color: string;
}

export interface PrepareOptions {
  signal: AbortSignal;
  /** Gets a fraction, 0 to 1. */
  onProgress: (part: number) => void;
  /** Runs before anything is encoded, which takes long. May throw a Refusal. */
  onInspected?: (durationSeconds: number) => void;
  /** A plain reason why viewers do not get it as it is; `label` names the file when it is not the item's. */
  onWarning: (reason: string, label?: string) => void;
}
