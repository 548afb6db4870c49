import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import type { Checkout } from "#db/schema/checkouts.ts";
import { prices, products } from "#db/schema/prices.ts";
import { purchaseNews } from "../rules/purchase-sentence.ts";
import { mailOnce } from "./send-once.server.ts";
import { partlyPaidMail } from "./templates/purchase-mails.tsx";

/** There may be no subscription yet, so that the purchase is all that the email knows. */
export async function mailPartlyPaid(tx: Transaction, checkout: Checkout, partPaid: number): Promise<void> {
  const { id, userId, priceId } = checkout;
  if (userId === null) return;
  const [buyer] = await tx.select({ to: users.email }).from(users).where(eq(users.id, userId));
  const [plan] = await tx
    .select({ name: products.name })
    .from(prices)
    .innerJoin(products, eq(products.id, prices.productId))
    .where(eq(prices.id, priceId));
  const news = purchaseNews({ ...checkout, status: "expired", isPaymentPending: false, partPaid });
  if (buyer === undefined || plan === undefined || news === null) return;
  await mailOnce(tx, { key: `partly-paid:${id}`, userId }, () =>
    partlyPaidMail(buyer.to, { planName: plan.name, sentence: news.sentence }),
  );
}
