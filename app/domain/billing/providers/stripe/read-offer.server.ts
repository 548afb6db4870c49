import type Stripe from "stripe";
import { type Price, type Product, priceInterval } from "#db/schema/prices.ts";
import type { Offer } from "../contract/provider.ts";
import { idOf, isOfOtherSite, PAGE } from "./objects.ts";

const TRIAL = "trial_period_days";
/** Stripe's own limit. */
const MAX_TRIAL_DAYS = 730;

export async function readStripeOffer(stripe: Stripe): Promise<Offer> {
  const offer: Offer = { products: [], prices: [], unfit: [] };
  for await (const product of stripe.products.list({ active: true, limit: PAGE })) {
    if (!isOfOtherSite(product.metadata)) offer.products.push(productOf(product));
  }
  const ours = new Set(offer.products.map(({ id }) => id));
  for await (const price of stripe.prices.list({ active: true, limit: PAGE })) {
    const productId = idOf(price.product);
    if (!ours.has(productId) || isOfOtherSite(price.metadata)) continue;
    const read = priceOf(price, productId);
    if (typeof read === "string") offer.unfit.push({ id: price.id, reason: read });
    else offer.prices.push(read);
  }
  return offer;
}

export function productOf(product: Stripe.Product): Product {
  const { id, name, description, images, active, metadata } = product;
  return { id, name, description: description ?? "", image: images[0] ?? null, active, metadata };
}

/** Returns the reason, as a string, when a subscription to this price cannot be offered. */
export function priceOf(price: Stripe.Price, productId: string): Price | string {
  const { id, active, nickname, currency, unit_amount, recurring, metadata } = price;
  if (recurring === null) return "it is paid once";
  if (recurring.usage_type === "metered") return "it is metered";
  if (price.transform_quantity !== null) return "it is sold in packages";
  if (unit_amount === null) return "it has no fixed amount";
  const interval = priceInterval.enumValues.find((known) => known === recurring.interval);
  if (interval === undefined) return "its interval is unknown";
  const trial = readTrial(metadata[TRIAL], recurring.trial_period_days);
  if (typeof trial === "string") return trial;
  return {
    id,
    productId,
    active,
    description: nickname,
    currency,
    unitAmount: unit_amount,
    interval,
    intervalCount: recurring.interval_count,
    firstPeriod: trial === null ? null : { days: trial, amount: 0 },
    metadata,
  };
}

/** Stripe no longer supports a trial on a price, so the price's metadata holds it. */
function readTrial(written: string | undefined, legacy: number | null): number | null | string {
  if (written === undefined) return legacy;
  const days = Number(written);
  const isWhole = Number.isInteger(days) && days >= 0 && days <= MAX_TRIAL_DAYS;
  return isWhole ? days || null : `its ${TRIAL} is not a number of days`;
}
