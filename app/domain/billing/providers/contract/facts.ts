import { z } from "zod";
import { priceInterval } from "#db/schema/prices.ts";

const text = z.string().max(255, { abort: true });

/** In the currency's smallest unit; the currency in lower case. */
const money = z.object({ amount: z.int(), currency: text });
const period = z.object({ interval: z.enum(priceInterval.enumValues), intervalCount: z.int() });

/** What was sold, as the provider reports it. */
const terms = z.object({
  currency: text,
  /** Equal to the renewal, unless the first period is a trial: free, or paid at a price of its own. */
  first: period.extend({ amount: z.int() }),
  /** Null when nothing more is charged. */
  renewal: period.extend({ amount: z.int() }).nullable(),
});

const method = z.object({
  brand: text,
  last4: text.nullable(),
  expMonth: z.int().nullable(),
  expYear: z.int().nullable(),
  /** The same for one card or account, whoever pays with it. */
  fingerprint: text.nullable(),
});

/** The end of the last paid day, where the provider names only the day. */
const instant = z.coerce.date();
const subscriptionId = text;
const transactionId = text;

/**
 * What an event says for certain, in our words, for a provider that cannot be asked afterwards: decision 219. All ids
 * are ours (see ourId), and no fact names a person.
 */
export const fact = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("sale"),
    /** Null when the provider does not say which purchase it was. */
    checkoutId: text.nullable(),
    subscriptionId,
    transactionId,
    paid: money,
    terms,
    paidUntil: instant,
    method: method.nullable(),
    /** Paid when its payment page had closed. */
    isLate: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal("saleFailed"), checkoutId: text.nullable(), code: text }),
  z.object({
    kind: z.literal("renewal"),
    subscriptionId,
    transactionId,
    paid: money,
    paidUntil: instant,
    method: method.nullable(),
  }),
  z.object({
    kind: z.literal("renewalFailed"),
    subscriptionId,
    transactionId,
    /** Null when the provider does not try again. */
    retryAt: instant.nullable(),
    code: text,
  }),
  z.object({
    kind: z.literal("canceled"),
    subscriptionId,
    /** "now": nothing is paid, as after the last failed attempt of a renewal. */
    ends: z.enum(["now", "paidUntil"]),
    /** The provider's word for who or why. */
    by: text.nullable(),
  }),
  z.object({ kind: z.literal("kept"), subscriptionId }),
  /** The provider gives no more access. A period that is still paid here goes on to its end. */
  z.object({ kind: z.literal("expired"), subscriptionId }),
  /** Ended here at once, while the provider only stops charging. */
  z.object({ kind: z.literal("closed"), subscriptionId }),
  /** The next charge has another day. */
  z.object({ kind: z.literal("moved"), subscriptionId, paidUntil: instant }),
  z.object({
    kind: z.literal("returned"),
    subscriptionId,
    /** The returned payment; null when the provider does not name it. */
    transactionId: transactionId.nullable(),
    amount: money,
    how: z.enum(["refund", "void", "chargeback", "bankReturn"]),
  }),
  z.object({ kind: z.literal("method"), subscriptionId, method }),
  /** The provider's answer to a question, kept only where it says something that the other facts do not. */
  z.object({
    kind: z.literal("probed"),
    subscriptionId,
    state: z.enum(["renewing", "ending", "over"]),
    paidUntil: instant.nullable(),
  }),
]);

export type Fact = z.infer<typeof fact>;
export type Terms = z.infer<typeof terms>;

/** `id`: the same however often and by whatever way the provider says it. `at`: when it happened, by the provider's clock. */
export type ToldFact = Fact & { id: string; at: Date };

/** Ids are keys of our tables, so those of a provider that counts its own begin with its name. */
export function ourId(provider: string, theirs: string): string {
  return `${provider}:${theirs}`;
}

export function theirId(provider: string, ours: string): string {
  return ours.slice(provider.length + 1);
}
