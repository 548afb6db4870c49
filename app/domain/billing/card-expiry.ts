import type { PaymentMethod } from "#db/schema/auth.ts";

const SOON_MS = 60 * 24 * 3600 * 1000;

/** A card is good to the end of its month. "soon": within sixty days. */
export function cardExpiry(
  { expMonth, expYear }: Pick<PaymentMethod, "expMonth" | "expYear">,
  now = new Date(),
): "expired" | "soon" | "later" {
  const end = Date.UTC(expYear, expMonth);
  if (end <= now.getTime()) return "expired";
  return end <= now.getTime() + SOON_MS ? "soon" : "later";
}
