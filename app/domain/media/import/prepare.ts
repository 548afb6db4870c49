import type { Marker } from "#db/schema/catalog.ts";
import type { MediaFileRow } from "../store-file.server.ts";
import type { InspectedVideo } from "../video/inspect.server.ts";
import type { OriginalRow } from "./keep-original.server.ts";

export interface PreparedMedia {
  mediaId: string;
  contentHash: string;
  color: string;
  width: number;
  height: number;
  files: MediaFileRow[];
  originals: OriginalRow[];
  video: PreparedVideo | null;
  photos: PreparedPhoto[];
}

export interface PreparedVideo {
  durationSeconds: number;
  hasAudio: boolean;
  markers: Marker[];
  /** Deleted after encoding, because the host keeps no originals. */
  isOriginalTemporary: boolean;
  begun: BegunLadder | null;
}

/** The worker need not make these files again: decision 215. */
export interface BegunLadder {
  video: InspectedVideo;
  /** In decibels, one for each audio track. */
  gains: number[];
  files: MediaFileRow[];
}

/** The version of the files that an item's first encoding makes. */
export const FIRST_RUN_VERSION = 1;

interface PreparedPhoto {
  number: number;
  position: number;
  /** SHA-256 of the picture file, hex. */
  sourceHash: string;
  width: number;
  height: number;
  widest: number;
  color: string;
}

export interface PrepareOptions {
  signal: AbortSignal;
  /** 0 to 1. */
  onProgress: (part: number) => void;
  /** Called before the long encoding. May throw an ImportRefusal. */
  onInspected?: (durationSeconds: number) => void;
  /** What viewers will miss. `label` names the file when it is not the item's own. */
  onWarning: (reason: string, label?: string) => void;
}
