import { config } from "#app/config.server.ts";
import type { Subscription } from "#db/schema/subscriptions.ts";
import { sellerName } from "../providers/providers.server.ts";

/** What a card's statement calls the charge: null where that is not known, for a former provider, and for what no card pays. */
export function statementText({
  provider,
  isPrepaid,
}: Pick<Subscription, "provider" | "isPrepaid">): string | null {
  const { statement } = config.billing;
  return statement === null || isPrepaid || provider !== sellerName() ? null : `“${statement}”`;
}
