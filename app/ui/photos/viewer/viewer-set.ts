import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { paths } from "#app/paths.ts";
import type { ProgressSubject } from "#app/ui/progress/send-progress.ts";

const LOADED_WITHIN_MS = 8_000;

export interface ViewerPhoto {
  position: number;
  /** Stays whatever the position becomes. */
  number: number;
  picture: PictureView;
  /** Null when signed out. */
  isFavorited: boolean | null;
}

/** The viewer gets only the photos that this person may see. */
export interface ViewerSet {
  mediaId: string;
  title: string;
  /** Counts all photos of the set. */
  count: number;
  photos: ViewerPhoto[];
  /** Null for those whose progress is not saved. */
  subject: ProgressSubject | null;
}

/** Throws when there is no such answer in time: the photo's own page says why. */
export async function loadViewerSet(slug: string): Promise<ViewerSet> {
  const response = await fetch(paths.photoList(slug), {
    redirect: "manual",
    signal: AbortSignal.timeout(LOADED_WITHIN_MS),
  });
  if (!response.ok) throw new Error(`The list of photos answered ${response.status}`);
  return (await response.json()) as ViewerSet;
}
