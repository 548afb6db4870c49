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
  /** The host keeps no originals, so this one is deleted after encoding. */
  isOriginalTemporary: boolean;
  begun: BegunLadder | null;
}

/** The worker need not make these files again: decision 215. */
export interface BegunLadder {
  video: InspectedVideo;
  /** As the worker measures it, by audio track. */
  gains: number[];
  files: MediaFileRow[];
}

/** What an item's first run gets. */
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
  /** Called before the encoding, which takes long. May throw an ImportRefusal. */
  onInspected?: (durationSeconds: number) => void;
  /** What viewers will miss. `label` names the file when it is not the item's own. */
  onWarning: (reason: string, label?: string) => void;
}
