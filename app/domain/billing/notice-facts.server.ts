import { eq, sql } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import type { Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { checkouts, prices, products, subscriptions } from "#db/schema/billing.ts";
import { cancelLink, withdrawLink } from "./cancel-link.server.ts";
import { chargeWords } from "./charge-words.ts";
import { dayWords } from "./day-words.ts";
import type { LetterFacts } from "./letters/billing-mail.tsx";
import { priceWords } from "./money-words.ts";
import { withdrawalEnd } from "./withdrawal-days.ts";

export interface NoticeFacts {
  subscription: typeof subscriptions.$inferSelect;
  letter: LetterFacts;
  /** Word for word what was agreed to; null when it was not bought here. */
  terms: string | null;
  /** What is charged on that day, and that day: "$14.99 on 21 December 2026". */
  nextCharge(on: Date): string;
}

/** What a mail about a subscription says; null when we have no such subscription. */
export async function findNoticeFacts(tx: Transaction, subscriptionId: string): Promise<NoticeFacts | null> {
  const [found] = await tx
    .select({ subscription: subscriptions, price: prices, planName: products.name, email: users.email })
    .from(subscriptions)
    .innerJoin(prices, eq(prices.id, subscriptions.priceId))
    .innerJoin(products, eq(products.id, prices.productId))
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .where(eq(subscriptions.id, subscriptionId));
  if (found === undefined) return null;
  const { subscription, price, planName, email } = found;
  return {
    subscription,
    terms: await findTerms(tx, subscription),
    nextCharge: (on) => chargeWords({ ...subscription, price }, dayWords(on)),
    letter: {
      siteName: config.siteName,
      to: email,
      planName,
      price: priceWords(price),
      cancelLink: cancelLink(subscription),
      withdrawal: { link: withdrawLink(subscription), until: withdrawalEnd(subscription.created) },
      accountLink: new URL(`${paths.account()}#subscription`, config.origin).href,
    },
  };
}

/** The purchase may not know its subscription yet: then it is the newest of the same price. */
async function findTerms(tx: Transaction, { id, userId, priceId }: NoticeFacts["subscription"]) {
  const [checkout] = await tx
    .select({ terms: checkouts.consentText })
    .from(checkouts)
    .where(
      sql`${checkouts.userId} = ${userId} AND (${checkouts.subscriptionId} = ${id} OR ${checkouts.subscriptionId} IS NULL
        AND ${checkouts.priceId} = ${priceId} AND ${checkouts.status} IN ('open', 'completed'))`,
    )
    .orderBy(sql`${checkouts.subscriptionId} NULLS LAST`, sql`${checkouts.createdAt} DESC`)
    .limit(1);
  return checkout?.terms ?? null;
}
