import { formatDays } from "#app/dates.ts";
import type { Access } from "#app/domain/access/access.ts";
import { FINISHED_KINDS } from "#app/domain/access/subscription-state.ts";
import { listOffer } from "#app/domain/billing/offers/plans.server.ts";
import { formatPrice } from "#app/domain/billing/rules/format-money.ts";
import { createSignedOutCache } from "#app/domain/catalog/lists/cache.server.ts";
import { listFreePhotos } from "#app/domain/catalog/media/contents.server.ts";
import { findTotals } from "#app/domain/catalog/media/counts.server.ts";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";

/** More plans than these are on the page of the subscription. */
const SHOWN_PLANS = 2;

type LockedOffer = Awaited<ReturnType<typeof readOffer>>;

const shared = createSignedOutCache<LockedOffer>();

/** The words of a locked video's page about the subscription, and the photos of its shoot that everybody may see. */
export function findLockedOffer(viewer: Viewer, media: { id: string; access: Access }): Promise<LockedOffer> {
  return shared(viewer, [media.id], () => readOffer(viewer, media));
}

async function readOffer({ user, session, subscription }: Viewer, media: { id: string; access: Access }) {
  const photos = await listFreePhotos(media.id);
  // Others pay already, or owe a payment, and need no price.
  const needsPrice = subscription === null || FINISHED_KINDS.includes(subscription.state);
  if (media.access !== "subscriber" || !needsPrice) return { plan: null, inside: null, photos };
  const person = user && { userId: user.id, email: user.email };
  const [{ plans }, { videos, photoSets, creators }] = await Promise.all([
    listOffer(person, session ?? undefined),
    findTotals(),
  ]);
  const shown = plans.slice(0, SHOWN_PLANS);
  const [first] = shown;
  if (first === undefined) return { plan: null, inside: null, photos };
  const hasOneTrial = first.trialDays && shown.every(({ trialDays }) => trialDays === first.trialDays);
  const trial = hasOneTrial ? `after ${formatDays(first.trialDays ?? 0)} free` : null;
  const prices = shown
    .map(({ amount, ...plan }) => formatPrice({ ...plan, unitAmount: amount }))
    .join(" or ");
  return { plan: { prices, trial }, inside: { videos, photoSets, creators }, photos };
}
