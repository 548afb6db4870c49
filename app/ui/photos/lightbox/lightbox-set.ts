import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { NO_ACCESS_STATUSES } from "#app/ui/parts/no-access.ts";
import { type PageMoment, type ProgressSubject, pageMoment } from "#app/ui/progress/send-progress.ts";

export const LOADED_WITHIN_MS = 8_000;

export interface LightboxPhoto {
  position: number;
  number: number;
  picture: PictureView;
  isFavorited: boolean | null;
  download: { url: string; bytes: number } | null;
}

/** Contains only photos that this person may see. */
export interface LightboxSet {
  mediaId: string;
  title: string;
  count: number;
  photos: LightboxPhoto[];
  progressSubject: ProgressSubject | null;
}

export type ReceivedSet = LightboxSet & { receivedAt: PageMoment };

export function nearestPhoto({ photos }: LightboxSet, position: number): LightboxPhoto | undefined {
  const distance = (photo: LightboxPhoto) => Math.abs(photo.position - position);
  return [...photos].sort((a, b) => distance(a) - distance(b))[0];
}

/** Throws if there are no photos, or no answer in time: the photo's own page says why. */
export async function loadLightboxSet(address: string): Promise<ReceivedSet> {
  const response = await requestList(address);
  if (!response.ok) throw new Error(`The list of photos answered ${response.status}`);
  const receivedAt = pageMoment();
  const set = (await response.json()) as LightboxSet;
  if (set.photos.length === 0) throw new Error("The list of photos is empty");
  return { ...set, receivedAt };
}

/** Those of `photos` that this person may no longer see. */
export async function findLostPhotos(address: string, photos: LightboxPhoto[]): Promise<LightboxPhoto[]> {
  try {
    const response = await requestList(address);
    if (NO_ACCESS_STATUSES.includes(response.status)) return photos;
    const now = (await response.json()) as LightboxSet;
    return photos.filter(({ number }) => now.photos.every((photo) => photo.number !== number));
  } catch {
    return [];
  }
}

function requestList(address: string): Promise<Response> {
  return fetch(address, { redirect: "manual", signal: AbortSignal.timeout(LOADED_WITHIN_MS) });
}
