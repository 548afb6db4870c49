import type { VideoItem } from "#app/domain/catalog/edit/item/video-item.server.ts";
import { showsFiles } from "#app/domain/catalog/edit/states/media-states.ts";
import { coverView } from "#app/domain/catalog/media/picture-view.ts";
import { videoContents } from "#app/domain/catalog/media/video-contents.server.ts";

export function playerOf({ item, stored, width, height, ...cover }: VideoItem) {
  const { sources, poster } = videoContents(item.id, stored);
  return {
    sources: showsFiles(item) ? sources.map(({ url, contentType }) => ({ url, contentType })) : [],
    poster: poster ?? coverUrl(item, cover),
    width: width ?? 16,
    height: height ?? 9,
  };
}

function coverUrl(
  { id, type }: VideoItem["item"],
  { color, coverVersion }: Pick<VideoItem, "color" | "coverVersion">,
): string | undefined {
  if (coverVersion === null) return undefined;
  const { url, widths } = coverView({ id, type, color, coverVersion });
  return `${url}-${Math.max(...widths)}.webp`;
}
