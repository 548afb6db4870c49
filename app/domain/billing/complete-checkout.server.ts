import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.server.ts";
import { checkouts } from "#db/schema/billing.ts";
import { findAgreed, isAsAgreed } from "./agreed.server.ts";
import type { What } from "./change.ts";
import type { CheckoutSnapshot } from "./providers/provider.ts";

/**
 * Writes what the provider says of a purchase into its row, unless it is still open or not one of ours. What was paid
 * stays paid, whatever comes later. What was sold otherwise than was agreed to is not written: "mismatch".
 */
export async function completeCheckout(tx: Transaction, snapshot: CheckoutSnapshot): Promise<What> {
  const { checkoutId, status, subscriptionId } = snapshot;
  if (status === "open" || !z.uuid().safeParse(checkoutId).success || checkoutId === null) return "same";
  const agreed = await findAgreed(tx, checkoutId);
  if (agreed !== null && status === "completed" && !isAsAgreed(agreed, snapshot.sold)) return "mismatch";
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
        eq(checkouts.id, checkoutId),
        isFor,
        status === "completed" ? ne(checkouts.status, "completed") : eq(checkouts.status, "open"),
      ),
    )
    .returning({ id: checkouts.id });
  return written.length > 0 ? "changed" : "same";
}
