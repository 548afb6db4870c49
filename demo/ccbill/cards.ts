import { createHash } from "node:crypto";

export const CARDS = [
  { last4: "4242", title: "works" },
  { last4: "0002", title: "is declined" },
  { last4: "3184", title: "asks for 3-D Secure" },
  { last4: "0341", title: "works now, fails at the renewal" },
] as const;
export const DECLINED = "0002";
export const ASKS_BUYER = "3184";
const FAILS_LATER = "0341";
const BIN = "424242";
const EXPIRES = "1239";

export function isCard(last4: string): boolean {
  return CARDS.some((card) => card.last4 === last4);
}

export function renews(last4: string): boolean {
  return last4 !== FAILS_LATER && last4 !== DECLINED;
}

/** The fields of a webhook about the means of payment. */
export function cardFields(last4: string, email: string): Record<string, string> {
  return {
    paymentType: "CREDIT",
    cardType: "VISA",
    cardSubType: "CREDIT",
    last4,
    expDate: EXPIRES,
    bin: BIN,
    // The same card has the same value in every sale.
    paymentAccount: createHash("md5").update(`${last4} of ${email}`).digest("hex"),
  };
}
