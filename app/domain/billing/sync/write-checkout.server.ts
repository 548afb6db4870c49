import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { checkouts } from "#db/schema/billing.ts";
import type { CheckoutSnapshot } from "../providers/contract/provider.ts";
import type { What } from "../rules/sync-outcome.ts";
import { findPurchaseTerms, matchesTerms } from "./purchase-terms.server.ts";

/** A paid purchase stays paid. One that differs from its purchase terms is not written: "mismatch". */
export async function completeCheckout(tx: Transaction, snapshot: CheckoutSnapshot): Promise<What> {
  const { status, subscriptionId } = snapshot;
  const terms = await findPurchaseTerms(tx, snapshot.checkoutId);
  if (status === "open" || terms === null) return "same";
  if (status === "completed" && !matchesTerms(terms, snapshot.sold)) return "mismatch";
  const isFor = or(isNull(checkouts.providerCheckoutId), eq(checkouts.providerCheckoutId, snapshot.id));
  const written = await tx
    .update(checkouts)
    .set({
      status,
      subscriptionId,
      providerCheckoutId: snapshot.id,
      url: null,
      endedAt: sql`coalesce(${checkouts.endedAt}, now())`,
    })
    .where(
      and(
        eq(checkouts.id, terms.id),
        isFor,
        status === "completed" ? ne(checkouts.status, "completed") : eq(checkouts.status, "open"),
      ),
    )
    .returning({ id: checkouts.id });
  return written.length > 0 ? "changed" : "same";
}
