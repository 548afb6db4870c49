import type { Readable } from "node:stream";
import type { ServedFile } from "#app/domain/catalog/media/served-file.server.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import type { ByteRange } from "#app/domain/media/storage/storage.ts";
import type { Viewer } from "#app/domain/viewer/viewer.ts";
import { contextOf } from "../request/request-context.server.ts";
import { findViewerNow } from "../session/viewer.server.ts";
import { decideFile, type FileFinders, type FileRequest } from "./file-access.server.ts";
import { fileStream } from "./file-stream.server.ts";
import { type HandOver, handOver } from "./front-delivery.server.ts";
import { isVideo, takeVideoSlot, type VideoSlot } from "./video-slot.server.ts";

/** One media file on its way to one viewer: `open` it once, `check` it while it runs, `release` it at its end. */
export interface Delivery {
  file: ServedFile;
  /** Everyone past the age gate may see it, so the browser may cache it for an hour. */
  isTeaser: boolean;
  isDownload: boolean;
  /** 429: the viewer's limit of videos is reached; 503: this process's. */
  open: (range: ByteRange) => Promise<ReadableStream<Uint8Array> | { status: 429 | 503 }>;
  /** False when the viewer may no longer have it. */
  check: () => Promise<boolean>;
  release: () => void;
  /** Lets nginx send it, in place of `open`. */
  handOver: () => Promise<HandOver | { status: 429 }>;
}

/** The client is gone, so nobody reads this response. */
const CLIENT_GONE = { status: 503 } as const;

/** Decides on the viewer's access, and returns the status of a refusal otherwise. `find` may know of files already. */
export async function prepareDelivery(
  request: Request,
  viewer: Viewer,
  wanted: FileRequest,
  find?: FileFinders,
): Promise<Delivery | { status: 403 | 404 | 410 }> {
  const decision = await decideFile(viewer, wanted, find);
  if (decision.status !== 200) return decision;
  const { file, isTeaser } = decision;
  let slot: VideoSlot | null = null;
  return {
    file,
    isTeaser,
    isDownload: wanted.isDownload,
    async open(range) {
      if (isVideo(file)) {
        const taken = await takeVideoSlot(request, viewer);
        if ("status" in taken) return taken;
        slot = taken;
      }
      let source: Readable;
      try {
        source = await mediaStorage.open(file.storageKey, range);
      } catch (error) {
        release();
        throw error;
      }
      const context = contextOf(request);
      if (context) return fileStream({ source, response: context.response, check, release });
      source.destroy();
      release();
      return CLIENT_GONE;
    },
    check,
    release,
    handOver: () => handOver(request, viewer, file),
  };

  async function check(): Promise<boolean> {
    const { status } = await decideFile(await findViewerNow(request), wanted);
    return status === 200 && (slot === null || (await slot.keep()));
  }

  function release(): void {
    slot?.release();
    slot = null;
  }
}
