import type Stripe from "stripe";
import { config } from "#app/config.server.ts";

/** The most that Stripe returns at once. */
export const PAGE = 100;
const SITE = "site";
const CHECKOUT = "checkout";

export function checkoutOf(metadata: Stripe.Metadata | null | undefined): string | null {
  return metadata?.[CHECKOUT] ?? null;
}

/** One account may sell for several sites. An object that names none is ours. */
export function isOfOtherSite(metadata: Stripe.Metadata | null | undefined): boolean {
  return (metadata?.[SITE] ?? config.billing.site) !== config.billing.site;
}

export function ourMetadata(site: string, checkoutId?: string): Stripe.MetadataParam {
  return { [SITE]: site, ...(checkoutId === undefined ? {} : { [CHECKOUT]: checkoutId }) };
}

type Reference = string | { id: string };

/** Stripe returns an object instead of its id where expansion was requested. */
export function idOf(reference: Reference): string;
export function idOf(reference: Reference | null | undefined): string | null;
export function idOf(reference: Reference | null | undefined): string | null {
  if (reference === null || reference === undefined) return null;
  return typeof reference === "string" ? reference : reference.id;
}

export function dateOf(seconds: number): Date;
export function dateOf(seconds: number | null | undefined): Date | null;
export function dateOf(seconds: number | null | undefined): Date | null {
  return seconds === null || seconds === undefined ? null : new Date(seconds * 1000);
}

/** Throws on an unknown word: no answer is better than a wrong one. */
export function knownWord<Word extends string>(words: readonly Word[], given: string): Word {
  const known = words.find((word) => word === given);
  if (known === undefined) throw new Error("Stripe answered with a status that is not known here");
  return known;
}
