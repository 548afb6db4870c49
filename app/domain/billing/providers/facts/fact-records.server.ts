import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { db } from "#db/client.server.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { customers } from "#db/schema/customers.ts";
import { prices, products } from "#db/schema/prices.ts";
import { orderedTerms } from "../../rules/purchase-terms.ts";
import { capabilitiesOf } from "../contract/capabilities.ts";
import { ourId, type ToldFact } from "../contract/facts.ts";
import type { CheckoutSnapshot, CustomerSnapshot, Purchases, SubscriptionApi } from "../contract/provider.ts";
import { projectFacts } from "./project-facts.ts";
import { projectPrepaid } from "./project-prepaid.ts";
import { readFacts, readSales, readTimeAfter } from "./stored-facts.server.ts";
import { type Order, ofKind, type Projection } from "./told-payments.ts";

type Records = Omit<SubscriptionApi, "voidInvoice" | "endAtPeriodEnd" | "endNow" | "keep" | "resume"> &
  Pick<Purchases, "createCustomer" | "readCheckout">;

/** The answers of a provider that cannot be asked: from what its events have said. It has no customers, so their ids are ours. */
export function factRecords(provider: string): Records {
  const projectAll = async (subscriptionIds: SQL) =>
    project(provider, await readFacts(provider, subscriptionIds));
  const listOf = (customerId: string) => projectAll(subscriptionIdsOf({ provider, customerId }));
  const findByTransaction = async (id: string) => {
    const ids = sql`SELECT subscription_id FROM billing_facts
      WHERE provider = ${provider} AND fact ->> 'transactionId' = ${id}`;
    return (await projectAll(ids))[0];
  };
  const readCharge = async (id: string) =>
    (await findByTransaction(id))?.charges.find((charge) => charge.id === id) ?? null;
  return {
    createCustomer: async () => ourId(provider, randomUUID()),
    readCustomer: async (id) =>
      customerSnapshot(id, await readFacts(provider, subscriptionIdsOf({ provider, customerId: id }))),
    readCheckout: (id) => readCheckout(provider, id),
    readSubscription: async (id) => (await projectAll(sql`${id}`))[0]?.subscription ?? null,
    listSubscriptions: async (customerId) =>
      (await listOf(customerId)).map(({ subscription }) => subscription),
    readInvoice: async (id) =>
      (await findByTransaction(id))?.invoices.find((invoice) => invoice.id === id) ?? null,
    listInvoices: async (customerId) => (await listOf(customerId)).flatMap(({ invoices }) => invoices),
    readCharge,
    readDisputed: readCharge,
    listReversedCharges: async (customerId) => (await listOf(customerId)).flatMap(({ charges }) => charges),
  };
}

/** By the purchases that their sales name, and by the rows that the host has linked. */
function subscriptionIdsOf({ provider, customerId }: { provider: string; customerId: string }) {
  const owner = sql`(SELECT user_id FROM customers
    WHERE provider = ${provider} AND provider_customer_id = ${customerId})`;
  return sql`SELECT subscription_id FROM billing_facts WHERE provider = ${provider}
      AND checkout_id IN (SELECT id::text FROM checkouts WHERE user_id = ${owner} AND provider = ${provider})
    UNION SELECT id FROM subscriptions WHERE user_id = ${owner} AND provider = ${provider}`;
}

async function project(provider: string, facts: ToldFact[]): Promise<Projection[]> {
  const now = await readTimeAfter(facts);
  const ids = new Set(facts.flatMap((one) => ("subscriptionId" in one ? one.subscriptionId : [])));
  const projected = [...ids].map(async (id) => {
    const own = facts.filter((one) => "subscriptionId" in one && one.subscriptionId === id);
    const sold = ofKind(own, "sale").map(({ checkoutId }) => checkoutId);
    if (capabilitiesOf(provider).renews)
      return projectFacts(provider, own, await findOrder(provider, sold[0] ?? null), now);
    const orders = await Promise.all(sold.map((checkoutId) => findOrder(provider, checkoutId)));
    const found = orders.filter((order) => order !== null);
    return projectPrepaid(provider, own, new Map(found.map((order) => [order.checkoutId, order])), now);
  });
  return (await Promise.all(projected)).filter((one) => one !== null);
}

/** Null for a purchase that is not ours, or of a member who is gone. */
export async function findOrder(provider: string, checkoutId: string | null): Promise<Order | null> {
  if (!z.uuid().safeParse(checkoutId).success || checkoutId === null) return null;
  const isTheirs = and(eq(customers.userId, checkouts.userId), eq(customers.provider, provider));
  const [order] = await db
    .select({
      checkout: checkouts,
      customerId: customers.providerCustomerId,
      price: prices,
      product: products,
    })
    .from(checkouts)
    .innerJoin(customers, isTheirs)
    .innerJoin(prices, eq(prices.id, checkouts.priceId))
    .innerJoin(products, eq(products.id, prices.productId))
    .where(and(eq(checkouts.id, checkoutId), eq(checkouts.provider, provider)));
  if (order === undefined) return null;
  const { checkout, ...more } = order;
  return { ...more, checkoutId: checkout.id, terms: orderedTerms(checkout) };
}

/** The id of a purchase at such a provider is ours. */
async function readCheckout(provider: string, id: string): Promise<CheckoutSnapshot | null> {
  const [row] = await db
    .select()
    .from(checkouts)
    .where(and(sql`${checkouts.id}::text = ${id}`, eq(checkouts.provider, provider)));
  if (row === undefined) return null;
  const order = await findOrder(provider, id);
  const sales = await readSales(provider, id);
  // A page may be paid again, or another one made by hand for the same purchase.
  const sale = sales.find(({ terms }) => isDeepStrictEqual(terms, order?.terms)) ?? sales[0];
  const customerId = order?.customerId ?? null;
  const open = row.status === "open" ? ("open" as const) : ("expired" as const);
  return {
    id,
    checkoutId: id,
    customerId,
    status: sale ? "completed" : open,
    isPaymentPending: false,
    partPaid: null,
    url: row.url,
    subscriptionId: sale?.subscriptionId ?? null,
    sold: sale ? [{ terms: sale.terms }] : [],
  };
}

function customerSnapshot(id: string, facts: ToldFact[]): CustomerSnapshot {
  const methods = facts
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .flatMap((one) => ("method" in one ? (one.method ?? []) : []));
  const newest = methods.at(-1);
  const { fingerprint: _, ...card } = newest ?? { fingerprint: null };
  return {
    id,
    isDeleted: false,
    isOtherSite: false,
    billingMethod: newest ? "charge_automatically" : null,
    card: "brand" in card ? card : null,
  };
}
