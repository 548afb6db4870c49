import type { Checkout } from "#db/schema/checkouts.ts";
import { formatMoney } from "./format-money.ts";

type Purchase = Pick<Checkout, "status" | "isPaymentPending" | "partPaid" | "unitAmount" | "currency">;

export interface PurchaseNews {
  kind: "confirming" | "unconfirmed" | "partlyPaid";
  sentence: string;
  /** Money has come that does not count, so the member is told whom to write to. */
  isOwed: boolean;
}

/** Null while nothing has come, and once all of it counts. */
export function purchaseNews(purchase: Purchase): PurchaseNews | null {
  const { status, isPaymentPending, partPaid } = purchase;
  // It came too late, or has not been confirmed within the time that the provider gives it.
  if (isPaymentPending && status === "expired")
    return { kind: "unconfirmed", sentence: UNCONFIRMED, isOwed: true };
  if (isPaymentPending) return { kind: "confirming", sentence: CONFIRMING, isOwed: false };
  if (partPaid === null) return null;
  const part = partOf(purchase);
  const isOwed = status !== "open";
  const sentence = isOwed
    ? `${part} arrived before the payment page closed, so this payment gives you no access.`
    : `${part} has arrived. Please pay the rest before the payment page closes. Otherwise the payment gives you no access.`;
  return { kind: "partlyPaid", sentence, isOwed };
}

const CONFIRMING =
  "Your payment has been seen and waits for confirmation, which usually takes less than an hour. It counts as soon as it is confirmed, and we will email you. There is nothing more for you to do.";

const UNCONFIRMED =
  "Your payment has been seen, but was not confirmed before the payment page closed. It counts once it is confirmed, and we will email you. If you have not heard from us within a day, something is wrong.";

/** "$5.00 of $9.99" */
function partOf({ partPaid, unitAmount, currency }: Purchase): string {
  const price = formatMoney(unitAmount, currency);
  // Some servers do not say how much it is.
  return partPaid ? `${formatMoney(partPaid, currency)} of ${price}` : `A part of ${price}`;
}
