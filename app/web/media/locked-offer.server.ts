import { formatDays } from "#app/dates.ts";
import type { Access } from "#app/domain/access/access.ts";
import { FINISHED_KINDS } from "#app/domain/access/subscription-state.ts";
import { listOffer } from "#app/domain/billing/offers/plans.server.ts";
import { formatPrice } from "#app/domain/billing/rules/format-money.ts";
import { createSignedOutCache } from "#app/domain/catalog/media/cache.server.ts";
import { findTotals } from "#app/domain/catalog/media/counts.server.ts";
import {
  findPreviewNeighbors,
  listPreviews,
  listShootPreviews,
} from "#app/domain/catalog/media/photos.server.ts";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";

/** More plans than these are on the page of the subscription. */
const SHOWN_PLANS = 2;

type LockedOffer = Awaited<ReturnType<typeof readOffer>>;

const sharedOffer = createSignedOutCache<LockedOffer>();
const sharedPhotos = createSignedOutCache<Awaited<ReturnType<typeof listShootPreviews>>>();
const sharedNeighbors = createSignedOutCache<Awaited<ReturnType<typeof findPreviewNeighbors>>>();
const sharedPreviews = createSignedOutCache<Awaited<ReturnType<typeof listPreviews>>>();

/** The words of a locked page about the subscription. */
export function findLockedOffer(viewer: Viewer, access: Access): Promise<LockedOffer> {
  return sharedOffer(viewer, [access], () => readOffer(viewer, access));
}

/** The photos of a video's shoot that everybody may see. */
export function findShootPreviews(viewer: Viewer, mediaId: string) {
  return sharedPhotos(viewer, [mediaId], () => listShootPreviews(mediaId));
}

/** A page of a locked set's photos that everybody may see. */
export function findPreviews(viewer: Viewer, mediaId: string, page: number) {
  return sharedPreviews(viewer, [mediaId, page], () => listPreviews(mediaId, page, viewer.user?.id));
}

/** Where a locked set's pages of photos lead: past what is locked. */
export function findOpenNeighbors(viewer: Viewer, mediaId: string, position: number) {
  return sharedNeighbors(viewer, [mediaId, position], () => findPreviewNeighbors(mediaId, position));
}

async function readOffer({ user, session, subscription }: Viewer, access: Access) {
  // Others pay already, or owe a payment, and need no price.
  const needsPrice = subscription === null || FINISHED_KINDS.includes(subscription.state);
  if (access !== "subscriber" || !needsPrice) return { plan: null, inside: null };
  const person = user && { userId: user.id, email: user.email };
  const [{ plans }, { videos, photoSets, creators }] = await Promise.all([
    listOffer(person, session ?? undefined),
    findTotals(),
  ]);
  const shown = plans.slice(0, SHOWN_PLANS);
  const [first] = shown;
  if (first === undefined) return { plan: null, inside: null };
  const hasOneTrial = first.trialDays && shown.every(({ trialDays }) => trialDays === first.trialDays);
  const trial = hasOneTrial ? `after ${formatDays(first.trialDays ?? 0)} free` : null;
  const prices = shown
    .map(({ amount, ...plan }) => formatPrice({ ...plan, unitAmount: amount }))
    .join(" or ");
  return { plan: { prices, trial }, inside: { videos, photoSets, creators } };
}
