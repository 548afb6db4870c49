import { BLUR_WIDTH, coverHeight, fileStems } from "#app/domain/media/renditions.ts";
import { type MediaType, paths } from "#app/paths.ts";
import type { PictureView } from "./picture-view.ts";

/** The cover blurred by the server, shown instead of what the viewer has no access to. */
export function lockedPicture({
  id,
  type,
  color,
}: {
  id: string;
  type: MediaType;
  color: string;
}): PictureView {
  return {
    alt: "",
    color,
    width: BLUR_WIDTH,
    height: coverHeight(type, BLUR_WIDTH),
    url: paths.mediaFile(id, fileStems.blur),
    widths: [BLUR_WIDTH],
    formats: ["webp"],
  };
}
