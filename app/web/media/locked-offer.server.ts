import type { Access } from "#app/domain/access/access.ts";
import { FINISHED_KINDS } from "#app/domain/access/subscription-state.ts";
import { listOffer } from "#app/domain/billing/offers/plans.server.ts";
import { sellerCapabilities } from "#app/domain/billing/providers/providers.server.ts";
import { formatFirstPeriod, formatMoney, formatPrice } from "#app/domain/billing/rules/format-money.ts";
import { createSignedOutCache } from "#app/domain/catalog/media/cache.server.ts";
import { findTotals } from "#app/domain/catalog/media/counts.server.ts";
import {
  findPreviewNeighbors,
  listPreviews,
  listShootPreviews,
} from "#app/domain/catalog/media/photos.server.ts";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";

/** The subscription page shows the others. */
const SHOWN_PLANS = 2;

type LockedOffer = Awaited<ReturnType<typeof readOffer>>;

const sharedOffer = createSignedOutCache<LockedOffer>();
const sharedShootPreviews = createSignedOutCache<Awaited<ReturnType<typeof listShootPreviews>>>();
const sharedNeighbors = createSignedOutCache<Awaited<ReturnType<typeof findPreviewNeighbors>>>();
const sharedPreviews = createSignedOutCache<Awaited<ReturnType<typeof listPreviews>>>();

export function findLockedOffer(viewer: Viewer, access: Access): Promise<LockedOffer> {
  return sharedOffer(viewer, [access], () => readOffer(viewer, access));
}

export function findShootPreviews(viewer: Viewer, mediaId: string) {
  return sharedShootPreviews(viewer, [mediaId], () => listShootPreviews(mediaId));
}

export function findPreviews(viewer: Viewer, mediaId: string, page: number) {
  return sharedPreviews(viewer, [mediaId, page], () => listPreviews(mediaId, page, viewer.user?.id));
}

export function findOpenNeighbors(viewer: Viewer, mediaId: string, position: number) {
  return sharedNeighbors(viewer, [mediaId, position], () => findPreviewNeighbors(mediaId, position));
}

async function readOffer({ user, session, subscription }: Viewer, access: Access) {
  // The others already pay or owe a payment.
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
  const firsts = shown.map(
    ({ firstPeriod, currency }) => firstPeriod && `after ${formatFirstPeriod(firstPeriod, currency)}`,
  );
  const haveSameFirst = firsts.every((each) => each === firsts[0]);
  const priced = shown.map(({ amount, ...plan }) => formatPrice({ ...plan, unitAmount: amount }, plan));
  const prices = haveSameFirst
    ? priced.join(" or ")
    : priced.map((price, index) => (firsts[index] ? `${price} ${firsts[index]}` : price)).join(", or ");
  const amounts = shown.filter(({ currency }) => currency === first.currency).map(({ amount }) => amount);
  const lowest = formatMoney(Math.min(...amounts), first.currency);
  const cost = plans.length === 1 ? `for ${lowest}` : `from ${lowest}`;
  return {
    plan: { prices, cost, firstPeriod: (haveSameFirst && firsts[0]) || null },
    inside: { videos, photoSets, creators, ending: endingText() },
  };
}

function endingText(): string {
  return sellerCapabilities().renews
    ? "You can cancel at any time, in two clicks"
    : "It does not renew, so there is nothing to cancel";
}
