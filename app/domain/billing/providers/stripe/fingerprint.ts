import type Stripe from "stripe";

/** What each of these carries: the same for one card or bank account, whoever pays with it. */
const WITH_FINGERPRINT = [
  "card",
  "us_bank_account",
  "sepa_debit",
  "bacs_debit",
  "acss_debit",
  "au_becs_debit",
] as const satisfies (keyof Stripe.PaymentMethod)[];

type Method = Pick<Stripe.PaymentMethod, (typeof WITH_FINGERPRINT)[number]>;

/** Null of what has none: a wallet, for example. */
export function fingerprintOf(method: Method): string | null {
  const kind = WITH_FINGERPRINT.find((one) => method[one]?.fingerprint);
  return (kind && method[kind]?.fingerprint) ?? null;
}
