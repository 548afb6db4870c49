import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { prices, products, type subscriptions } from "#db/schema/billing.ts";
import { formatDate } from "../rules/format-date.ts";
import { formatPrice } from "../rules/format-money.ts";
import type { MailFacts } from "./mail-facts.server.ts";
import { claimMail, sendMail } from "./send-once.server.ts";
import { planChangedMail } from "./templates/plan-mail.tsx";

/** Each change is mailed, also one back. A new id for the same price is no change. */
export async function mailPlanChange(
  tx: Transaction,
  { subscription, context, nextCharge }: MailFacts,
  former: typeof subscriptions.$inferSelect,
): Promise<void> {
  const { id, userId, priceId, fetchedAt, currentPeriodStart, currentPeriodEnd, cancelAtPeriodEnd } =
    subscription;
  const before = await findPlan(tx, former.priceId);
  if (before === null || before === `${context.planName}, ${context.price}`) return;
  const key = `plan:${id}:${priceId}:${fetchedAt.getTime()}`;
  if (!(await claimMail(tx, { key, userId, happenedAt: null }))) return;
  const isWithPeriod = currentPeriodStart > former.currentPeriodStart;
  const mail = await planChangedMail(context, {
    before,
    since: formatDate(isWithPeriod ? currentPeriodStart : new Date()),
    nextCharge: cancelAtPeriodEnd ? null : nextCharge(currentPeriodEnd),
  });
  await sendMail(tx, mail);
}

async function findPlan(tx: Transaction, priceId: string): Promise<string | null> {
  const [found] = await tx
    .select({ price: prices, name: products.name })
    .from(prices)
    .innerJoin(products, eq(products.id, prices.productId))
    .where(eq(prices.id, priceId));
  return found ? `${found.name}, ${formatPrice(found.price)}` : null;
}
