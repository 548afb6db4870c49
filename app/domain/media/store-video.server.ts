import { fileNames } from "./renditions.ts";
import type { StorageSource } from "./storage/storage.ts";
import { type MediaFileRow, storeMediaFile } from "./store-file.server.ts";

/** An MP4 with faststart; sizes in pixels. */
export function storeVideoFile(
  source: StorageSource,
  { mediaId, width, height }: { mediaId: string; width: number; height: number },
): Promise<MediaFileRow> {
  const facts = {
    name: fileNames.video(Math.min(width, height)),
    contentType: "video/mp4",
    needs: "view",
  } as const;
  return storeMediaFile(source, { mediaId, ...facts, width, height });
}

export function storeCaptions(
  vtt: string,
  { mediaId, language, label }: { mediaId: string; language: string; label: string },
): Promise<MediaFileRow> {
  const facts = {
    name: fileNames.captions(language),
    contentType: "text/vtt; charset=utf-8",
    needs: "view",
  } as const;
  return storeMediaFile(Buffer.from(vtt), { mediaId, ...facts, language, label });
}
