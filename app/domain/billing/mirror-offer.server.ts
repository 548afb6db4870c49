import { isDeepStrictEqual } from "node:util";
import { inArray, sql } from "drizzle-orm";
import { db, type Transaction } from "#db/client.server.ts";
import { offerReads, prices, products } from "#db/schema/billing.ts";
import { type AskedAt, askedNow } from "./asked-at.server.ts";
import type { Change } from "./change.ts";
import { currentProvider } from "./providers/current-provider.server.ts";
import type { Offer, OfferedPrice, OfferedProduct } from "./providers/provider.ts";

type OfferChange = Change & { kind: "product" | "price" };

interface Mirrored {
  changes: OfferChange[];
  unfit: { id: string; reason: string }[];
}

type Row = OfferedProduct | OfferedPrice;

/**
 * Makes our products and prices what the provider offers now. What it no longer offers is withdrawn from sale and kept,
 * because subscriptions name it. With `isDryRun` nothing is written. Null without a
 * provider; throws ProviderUnreachable.
 */
export async function mirrorOffer({ isDryRun }: { isDryRun: boolean }): Promise<Mirrored | null> {
  const provider = currentProvider();
  if (provider === null) return null;
  const askedAt = await askedNow();
  const offer = await provider.readOffer();
  const changes = await db.transaction((tx) => writeOffer(tx, offer, { askedAt, isDryRun }));
  return { changes, unfit: offer.unfit };
}

/** Nothing is written, or different, when what was for sale later on is known already. */
export async function writeOffer(
  tx: Transaction,
  offer: Offer,
  { askedAt, isDryRun }: { askedAt: AskedAt; isDryRun: boolean },
): Promise<OfferChange[]> {
  // Two at a time would each undo what the other has just read.
  await tx.execute(sql`LOCK TABLE products, prices IN SHARE ROW EXCLUSIVE MODE`);
  if (await isLate(tx, askedAt)) return [];
  const changes = [
    ...changesOf("product", await tx.select().from(products), offer.products),
    ...changesOf("price", await tx.select().from(prices), offer.prices),
  ];
  if (isDryRun) return changes;
  await write(tx, offer, changes);
  const readAt = sql`${askedAt}::timestamptz`;
  await tx
    .insert(offerReads)
    .values({ readAt })
    .onConflictDoUpdate({ target: offerReads.id, set: { readAt } });
  return changes;
}

async function isLate(tx: Transaction, askedAt: AskedAt): Promise<boolean> {
  const later = sql`${offerReads.readAt} > ${askedAt}::timestamptz`;
  return (await tx.$count(offerReads, later)) > 0;
}

function changesOf(kind: OfferChange["kind"], known: Row[], offered: Row[]): OfferChange[] {
  const before = new Map(known.map((row) => [row.id, row]));
  const now = new Set(offered.map(({ id }) => id));
  const told = offered.flatMap(({ id, ...row }): OfferChange[] => {
    const old = before.get(id);
    if (old === undefined) return [{ kind, id, what: "new" }];
    return isDeepStrictEqual(old, { id, ...row }) ? [] : [{ kind, id, what: "changed" }];
  });
  const withdrawn = known.filter(({ id, active }) => active && !now.has(id));
  return [...told, ...withdrawn.map(({ id }): OfferChange => ({ kind, id, what: "withdrawn" }))];
}

/** Products first: prices name them. */
async function write(tx: Transaction, offer: Offer, changes: OfferChange[]): Promise<void> {
  const ids = (kind: OfferChange["kind"], ...whats: OfferChange["what"][]) =>
    changes.filter((change) => change.kind === kind && whats.includes(change.what)).map(({ id }) => id);
  const changedProducts = ids("product", "new", "changed");
  for (const product of offer.products.filter(({ id }) => changedProducts.includes(id))) {
    await tx.insert(products).values(product).onConflictDoUpdate({ target: products.id, set: product });
  }
  const changedPrices = ids("price", "new", "changed");
  for (const price of offer.prices.filter(({ id }) => changedPrices.includes(id))) {
    await tx.insert(prices).values(price).onConflictDoUpdate({ target: prices.id, set: price });
  }
  await tx
    .update(products)
    .set({ active: false })
    .where(inArray(products.id, ids("product", "withdrawn")));
  await tx
    .update(prices)
    .set({ active: false })
    .where(inArray(prices.id, ids("price", "withdrawn")));
}
