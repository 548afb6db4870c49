import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { type PageMoment, type ProgressSubject, pageMoment } from "#app/ui/progress/send-progress.ts";

export const LOADED_WITHIN_MS = 8_000;

export interface LightboxPhoto {
  position: number;
  /** Stays whatever the position becomes. */
  number: number;
  picture: PictureView;
  /** Null when signed out, and for guests with a draft link. */
  isFavorited: boolean | null;
  /** Its largest file; null for those who may not download it. */
  download: { url: string; bytes: number } | null;
}

/** The lightbox gets only the photos that this person may see. */
export interface LightboxSet {
  mediaId: string;
  title: string;
  /** Counts all photos of the set. */
  count: number;
  photos: LightboxPhoto[];
  /** Null for those whose progress is not saved. */
  progressSubject: ProgressSubject | null;
}

/** The `progressSubject` has the server's time as it was at `receivedAt`. */
export type ReceivedSet = LightboxSet & { receivedAt: PageMoment };

/** The photo at that position, or the nearest that this person may see. */
export function nearestPhoto({ photos }: LightboxSet, position: number): LightboxPhoto | undefined {
  const distance = (photo: LightboxPhoto) => Math.abs(photo.position - position);
  return [...photos].sort((a, b) => distance(a) - distance(b))[0];
}

/** Throws without a photo to show, and when no answer comes in time: the photo's own page says why. */
export async function loadLightboxSet(address: string): Promise<ReceivedSet> {
  const response = await requestList(address);
  if (!response.ok) throw new Error(`The list of photos answered ${response.status}`);
  const receivedAt = pageMoment();
  const set = (await response.json()) as LightboxSet;
  if (set.photos.length === 0) throw new Error("The list of photos is empty");
  return { ...set, receivedAt };
}

/** Those of `photos` that are not open to this person any more. None when the site does not say. */
export async function findClosedPhotos(address: string, photos: LightboxPhoto[]): Promise<LightboxPhoto[]> {
  try {
    const response = await requestList(address);
    if ([403, 404, 410].includes(response.status)) return photos;
    const now = (await response.json()) as LightboxSet;
    return photos.filter(({ number }) => now.photos.every((photo) => photo.number !== number));
  } catch {
    return [];
  }
}

function requestList(address: string): Promise<Response> {
  return fetch(address, { redirect: "manual", signal: AbortSignal.timeout(LOADED_WITHIN_MS) });
}
