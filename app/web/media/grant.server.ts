import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { findViewerNow } from "../session/viewer.server.ts";
import type { Grant } from "./deliver.server.ts";
import { decideFile, type FileRequest } from "./file-access.server.ts";
import { holdSlotForPart } from "./part-slot.server.ts";
import { takeVideoSlot } from "./video-slot.server.ts";

/** For a viewer to whom `decideFile` has just given the file. */
export function grantTo(
  viewer: Viewer,
  wanted: FileRequest,
  request: Request,
  { isTeaser }: { isTeaser: boolean },
): Grant {
  return {
    isTeaser,
    isDownload: wanted.isDownload,
    check: async () => (await decideFile(await findViewerNow(request), wanted)).status === 200,
    takeSlot: (form) => takeVideoSlot(request, viewer, form),
    holdForPart: () => holdSlotForPart(request, viewer, wanted.path),
  };
}
