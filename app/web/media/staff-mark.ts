import { stateLabel } from "#app/domain/catalog/edit/states/media-states.ts";
import type { MediaRecord } from "#app/domain/catalog/media/media.server.ts";
import { hasRight } from "#app/domain/staff/rights.ts";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { paths, type ViewAs } from "#app/paths.ts";

export interface StaffMark {
  /** Why the public does not see it. */
  state: string | null;
  /** Null for a guest with a draft link. */
  studio: string | null;
  as: ViewAs | null;
}

export function markFor(
  viewer: Viewer,
  media: MediaRecord,
  as: ViewAs | null,
  zone: string,
): StaffMark | null {
  const isEditor = hasRight(viewer, "media.edit");
  const state = media.isLive ? null : stateLabel(media, zone);
  if (!isEditor && state === null) return null;
  return { state, studio: isEditor ? paths.studioItem(media.id) : null, as };
}

/** A page with a mark is not for everybody. */
export function isPublicPage(data: unknown): boolean {
  return typeof data === "object" && data !== null && "mark" in data && data.mark === null;
}
