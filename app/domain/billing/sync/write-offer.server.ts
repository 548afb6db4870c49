import { gt, notInArray, sql } from "drizzle-orm";
import { db, type Transaction } from "#db/client.server.ts";
import { offerFetches, type Price, type Product, prices, products } from "#db/schema/prices.ts";
import { listUnofferedPrices } from "../offers/plans.server.ts";
import type { Offer } from "../providers/contract/provider.ts";
import { sellingOffer } from "../providers/providers.server.ts";
import { type Difference, isReported } from "../rules/sync-outcome.ts";
import { differenceOf, type FetchedAt, previewWrite, readFetchTime } from "./snapshot.server.ts";

type Row = Product | Price;

/** Retired rows stay, as subscriptions refer to them. Null without a provider that has prices; throws ProviderUnreachable. */
export async function syncOffer({ isDryRun }: { isDryRun: boolean }) {
  const provider = sellingOffer();
  if (provider === null) return null;
  const fetchedAt = await readFetchTime();
  const offer = await provider.readOffer();
  let unoffered: string[] = [];
  const writeFetched = async (tx: Transaction) => {
    const written = await writeOffer(tx, offer, fetchedAt);
    unoffered = await listUnofferedPrices(tx);
    return written;
  };
  const differences = await (isDryRun ? previewWrite(writeFetched) : db.transaction(writeFetched));
  return { differences, unfit: offer.unfit, unoffered };
}

export async function writeOffer(tx: Transaction, offer: Offer, fetchedAt: FetchedAt): Promise<Difference[]> {
  // Two concurrent syncs would undo each other.
  await tx.execute(sql`LOCK TABLE products, prices IN SHARE ROW EXCLUSIVE MODE`);
  const isLate = gt(offerFetches.fetchedAt, fetchedAt);
  if ((await tx.$count(offerFetches, isLate)) > 0) return [];
  const differences = [
    ...differencesOf("product", await tx.select().from(products), offer.products),
    ...differencesOf("price", await tx.select().from(prices), offer.prices),
  ];
  await write(tx, offer);
  const row = { fetchedAt };
  await tx.insert(offerFetches).values(row).onConflictDoUpdate({ target: offerFetches.id, set: row });
  return differences;
}

function differencesOf(kind: Difference["kind"], known: Row[], offered: Row[]): Difference[] {
  const before = new Map(known.map((row) => [row.id, row]));
  const now = new Set(idsOf(offered));
  const retired = known.filter(({ id, active }) => active && !now.has(id));
  const differences = [
    ...offered.map((row) => ({ kind, id: row.id, what: differenceOf(before.get(row.id), row) })),
    ...retired.map(({ id }) => ({ kind, id, what: "retired" as const })),
  ];
  return differences.filter(isReported);
}

async function write(tx: Transaction, offer: Offer): Promise<void> {
  for (const product of offer.products) {
    await tx.insert(products).values(product).onConflictDoUpdate({ target: products.id, set: product });
  }
  for (const price of offer.prices) {
    await tx.insert(prices).values(price).onConflictDoUpdate({ target: prices.id, set: price });
  }
  const gone = { active: false };
  await tx
    .update(products)
    .set(gone)
    .where(notInArray(products.id, idsOf(offer.products)));
  await tx
    .update(prices)
    .set(gone)
    .where(notInArray(prices.id, idsOf(offer.prices)));
}

function idsOf(rows: Row[]): string[] {
  return rows.map(({ id }) => id);
}
