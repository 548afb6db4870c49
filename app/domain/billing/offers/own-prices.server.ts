import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { and, count, desc, eq, gt, notInArray, or, sql } from "drizzle-orm";
import { ENDED_STATUSES } from "#app/domain/access/subscription-state.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { db, type Executor, type Transaction } from "#db/client.server.ts";
import { type Price, prices, products } from "#db/schema/prices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { sellerOfOwnPrices, sellsPrepaid } from "../providers/providers.server.ts";
import { formatTerms } from "../rules/format-money.ts";
import { termsOf } from "../rules/purchase-terms.ts";
import { MAX_PLANS } from "./plans.server.ts";
import { type PriceErrors, type PriceTexts, readPriceTexts, type WantedPrice } from "./price-texts.ts";

export type AddedPrice = { added: ListedPrice } | { errors: PriceErrors };
export type EndedPrice = { ended: ListedPrice } | { error: string };

type ListedPrice = Pick<Price, "id"> & WantedPrice & { isPrepaid: boolean };

const NOT_AN_OWNER = "Only an owner can change prices.";
const NOT_HERE = "Prices are made here only for a payment provider that has no catalog of its own.";

/** On sale, and those that have ended but are still paid by a subscriber. `unfit`: why nobody can buy it. */
export async function listPrices(executor: Executor = db) {
  const held = executor
    .select({
      priceId: subscriptions.priceId,
      subscribers: count().as("subscribers"),
      isPrepaid: sql<boolean>`bool_and(${subscriptions.isPrepaid})`.as("is_prepaid"),
    })
    .from(subscriptions)
    .where(notInArray(subscriptions.status, ENDED_STATUSES))
    .groupBy(subscriptions.priceId)
    .as("held");
  const isOnSale = sql<boolean>`${prices.active} AND ${products.active}`;
  const rows = await executor
    .select({
      id: prices.id,
      plan: products.name,
      currency: prices.currency,
      unitAmount: prices.unitAmount,
      interval: prices.interval,
      intervalCount: prices.intervalCount,
      firstPeriod: prices.firstPeriod,
      isOnSale,
      isPrepaid: sql<boolean>`CASE WHEN ${isOnSale} THEN ${sellsPrepaid()} ELSE ${held.isPrepaid} END`,
      subscribers: sql<number>`coalesce(${held.subscribers}, 0)::int`,
    })
    .from(prices)
    .innerJoin(products, eq(products.id, prices.productId))
    .leftJoin(held, eq(held.priceId, prices.id))
    .where(or(isOnSale, gt(held.subscribers, 0)))
    .orderBy(desc(isOnSale), prices.interval, prices.intervalCount, prices.unitAmount, prices.id);
  const seller = sellerOfOwnPrices();
  return rows.map((row) => ({
    ...row,
    unfit: row.isOnSale ? (seller?.unfit(termsOf(row)) ?? null) : null,
  }));
}

/** A price never changes: it is ended, and another one is made. */
export async function addPrice(actor: Actor, texts: PriceTexts): Promise<AddedPrice> {
  if (!mayDo(actor, "site")) return { errors: { form: NOT_AN_OWNER } };
  const seller = sellerOfOwnPrices();
  if (seller === null) return { errors: { form: NOT_HERE } };
  const read = readPriceTexts(texts);
  if ("errors" in read) return read;
  const { wanted } = read;
  const unfit = seller.unfit(termsOf(wanted));
  if (unfit !== null) return { errors: { form: `The payment provider cannot sell this price: ${unfit}.` } };
  return db.transaction(async (tx) => {
    await lockOffer(tx);
    const onSale = (await listPrices(tx)).filter((price) => price.isOnSale);
    if (onSale.some((price) => isDeepStrictEqual(termsAndPlan(price), termsAndPlan(wanted))))
      return { errors: { form: "This price is already on sale." } };
    if (onSale.length >= MAX_PLANS)
      return { errors: { form: `Up to ${MAX_PLANS} prices can be on sale. End one of them first.` } };
    const added = { ...wanted, id: await insertPrice(tx, wanted), isPrepaid: sellsPrepaid() };
    await recordChange(tx, actor, "price.added", added);
    return { added };
  });
}

/** Nobody buys it any more. Its subscribers keep it. */
export async function endPrice(actor: Actor, priceId: string): Promise<EndedPrice> {
  if (!mayDo(actor, "site")) return { error: NOT_AN_OWNER };
  if (sellerOfOwnPrices() === null) return { error: NOT_HERE };
  return db.transaction(async (tx) => {
    await lockOffer(tx);
    const price = (await listPrices(tx)).find(({ id, isOnSale }) => id === priceId && isOnSale);
    if (price === undefined) return { error: "This price is not on sale any more." };
    await tx.update(prices).set({ active: false }).where(eq(prices.id, priceId));
    await recordChange(tx, actor, "price.ended", price);
    return { ended: price };
  });
}

/** Against a second owner, and against the catalog of a provider that is fetched at the same time. */
async function lockOffer(tx: Transaction): Promise<void> {
  await tx.execute(sql`LOCK TABLE products, prices IN SHARE ROW EXCLUSIVE MODE`);
}

function termsAndPlan(price: WantedPrice) {
  return { plan: price.plan.toLowerCase(), terms: termsOf(price) };
}

async function insertPrice(tx: Transaction, { plan, ...terms }: WantedPrice): Promise<string> {
  const isSamePlan = and(products.active, sql`lower(${products.name}) = lower(${plan})`);
  const [known] = await tx.select({ id: products.id }).from(products).where(isSamePlan).limit(1);
  const productId = known?.id ?? randomUUID();
  if (known === undefined) await tx.insert(products).values({ id: productId, name: plan });
  const id = randomUUID();
  await tx.insert(prices).values({ ...terms, id, productId });
  return id;
}

async function recordChange(
  tx: Transaction,
  actor: Actor,
  action: "price.added" | "price.ended",
  price: ListedPrice,
): Promise<void> {
  const subjectName = `${price.plan}, ${formatTerms(price)}`;
  await recordAudit(tx, { actor, action, subjectKind: "price", subjectId: price.id, subjectName });
}
