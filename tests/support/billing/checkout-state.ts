import { eq } from "drizzle-orm";
import type Stripe from "stripe";
import type { CheckoutStart, Purchase } from "#app/domain/billing/checkout/start-checkout.server.ts";
import { db } from "#db/client.server.ts";
import { checkouts } from "#db/schema/checkouts.ts";

export const rowsOf = ({ userId }: Purchase) =>
  db.select().from(checkouts).where(eq(checkouts.userId, userId)).orderBy(checkouts.createdAt);

/** Everything the provider stores about a person: customers by address, and the sessions of each. */
export async function providerState(stripe: Stripe, { email }: Purchase) {
  const { data: known } = await stripe.customers.list({ email, limit: 100 });
  const lists = known.map(({ id }) => stripe.checkout.sessions.list({ customer: id, limit: 100 }));
  const sessions = (await Promise.all(lists)).flatMap(({ data }) => data);
  return {
    customers: known.length,
    open: sessions.filter(({ status }) => status === "open").map(({ url }) => url),
    sessions: sessions.length,
  };
}

export function urlOf(start: CheckoutStart): string {
  if (start.kind !== "page") throw new Error(`There is no page, but ${JSON.stringify(start)}`);
  return start.url;
}
