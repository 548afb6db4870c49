import { createHash } from "node:crypto";

const PRICE = ["initialPrice", "initialPeriod"];
const RECURRING = ["recurringPrice", "recurringPeriod", "numRebills"];

/** Protects the price, the periods and the currency of a link, and nothing else. */
export function formDigest(link: URLSearchParams, salt: string): string {
  const names = link.has("recurringPrice")
    ? [...PRICE, ...RECURRING, "currencyCode"]
    : [...PRICE, "currencyCode"];
  return md5([...names.map((name) => link.get(name) ?? ""), salt]);
}

/** The digest that a sale or a denial reports back, by the id of the subscription or of the denial. */
export function responseDigest(
  id: string,
  { isApproved, salt }: { isApproved: boolean; salt: string },
): string {
  return md5([id, isApproved ? "1" : "0", salt]);
}

function md5(parts: string[]): string {
  return createHash("md5").update(parts.join("")).digest("hex");
}
