import { eq, sql } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import type { Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { checkouts, prices, products, subscriptions } from "#db/schema/billing.ts";
import { formatDate } from "../rules/format-date.ts";
import { formatPrice } from "../rules/format-money.ts";
import { chargeText } from "../rules/next-charge-text.ts";
import { withdrawalEnd } from "../rules/withdrawal-days.ts";
import { cancelLink, withdrawLink } from "./signed-links.server.ts";
import type { MailContext } from "./templates/billing-mail.tsx";

export interface MailFacts {
  subscription: typeof subscriptions.$inferSelect;
  context: MailContext;
  /** The account is marked for deletion, which has a mail of its own. */
  isClosing: boolean;
  /** The accepted terms, word for word; null when it was not bought here. */
  terms: string | null;
  nextCharge(on: Date): string;
}

export async function findMailFacts(tx: Transaction, subscriptionId: string): Promise<MailFacts | null> {
  const [found] = await tx
    .select({
      subscription: subscriptions,
      price: prices,
      planName: products.name,
      email: users.email,
      closesAt: users.deletionRequestedAt,
    })
    .from(subscriptions)
    .innerJoin(prices, eq(prices.id, subscriptions.priceId))
    .innerJoin(products, eq(products.id, prices.productId))
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .where(eq(subscriptions.id, subscriptionId));
  if (found === undefined) return null;
  const { subscription, price, planName, email, closesAt } = found;
  return {
    subscription,
    isClosing: closesAt !== null,
    terms: await findTerms(tx, subscription),
    nextCharge: (on) => chargeText({ ...subscription, price }, formatDate(on)),
    context: {
      siteName: config.siteName,
      to: email,
      planName,
      price: formatPrice(price),
      cancelLink: cancelLink(subscription),
      withdrawal: { link: withdrawLink(subscription), until: withdrawalEnd(subscription.created) },
      accountLink: new URL(`${paths.account()}#subscription`, config.origin).href,
      subscribeLink: new URL(paths.subscribe(), config.origin).href,
    },
  };
}

/** A purchase not linked to its subscription yet is found as the newest of the same price. */
async function findTerms(tx: Transaction, { id, userId, priceId }: MailFacts["subscription"]) {
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
