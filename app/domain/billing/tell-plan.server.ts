import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { prices, products, type subscriptions } from "#db/schema/billing.ts";
import { dayWords } from "./day-words.ts";
import { planChangedMail } from "./letters/plan-mail.tsx";
import { priceWords } from "./money-words.ts";
import type { NoticeFacts } from "./notice-facts.server.ts";
import { claimNotice, sendNotice } from "./write-notice.server.ts";

/** Each change is one fact: whoever changes back is told again. A new id for the same price is none. */
export async function tellPlanChange(
  tx: Transaction,
  { subscription, letter, nextCharge }: NoticeFacts,
  former: typeof subscriptions.$inferSelect,
): Promise<void> {
  const { id, userId, priceId, readAt, currentPeriodStart, currentPeriodEnd, cancelAtPeriodEnd } =
    subscription;
  const before = await findPlan(tx, former.priceId);
  if (before === null || before === `${letter.planName}, ${letter.price}`) return;
  const key = `plan:${id}:${priceId}:${readAt.getTime()}`;
  if (!(await claimNotice(tx, { key, userId, happenedAt: null }))) return;
  const isWithPeriod = currentPeriodStart > former.currentPeriodStart;
  const mail = await planChangedMail(letter, {
    before,
    since: dayWords(isWithPeriod ? currentPeriodStart : new Date()),
    nextCharge: cancelAtPeriodEnd ? null : nextCharge(currentPeriodEnd),
  });
  await sendNotice(tx, mail);
}

/** "Membership, $14.99 a month" */
async function findPlan(tx: Transaction, priceId: string): Promise<string | null> {
  const [found] = await tx
    .select({ price: prices, name: products.name })
    .from(prices)
    .innerJoin(products, eq(products.id, prices.productId))
    .where(eq(prices.id, priceId));
  return found ? `${found.name}, ${priceWords(found.price)}` : null;
}
