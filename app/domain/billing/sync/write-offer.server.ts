import { isDeepStrictEqual } from "node:util";
import { inArray, sql } from "drizzle-orm";
import { db, type Transaction } from "#db/client.server.ts";
import { offerFetches, prices, products } from "#db/schema/billing.ts";
import type { Offer, OfferedPrice, OfferedProduct } from "../providers/contract/provider.ts";
import { currentProvider } from "../providers/current-provider.server.ts";
import type { Change } from "../rules/sync-outcome.ts";
import { type FetchedAt, readFetchTime } from "./snapshot.server.ts";

type OfferChange = Change & { kind: "product" | "price" };

interface SyncedOffer {
  changes: OfferChange[];
  unfit: { id: string; reason: string }[];
}

type Row = OfferedProduct | OfferedPrice;

/** Withdrawn rows stay, as subscriptions refer to them. Null without a provider; throws ProviderUnreachable. */
export async function syncOffer({ isDryRun }: { isDryRun: boolean }): Promise<SyncedOffer | null> {
  const provider = currentProvider();
  if (provider === null) return null;
  const fetchedAt = await readFetchTime();
  const offer = await provider.readOffer();
  const changes = await db.transaction((tx) => writeOffer(tx, offer, { fetchedAt, isDryRun }));
  return { changes, unfit: offer.unfit };
}

export async function writeOffer(
  tx: Transaction,
  offer: Offer,
  { fetchedAt, isDryRun }: { fetchedAt: FetchedAt; isDryRun: boolean },
): Promise<OfferChange[]> {
  // Two concurrent syncs would undo each other.
  await tx.execute(sql`LOCK TABLE products, prices IN SHARE ROW EXCLUSIVE MODE`);
  if (await isLate(tx, fetchedAt)) return [];
  const changes = [
    ...changesOf("product", await tx.select().from(products), offer.products),
    ...changesOf("price", await tx.select().from(prices), offer.prices),
  ];
  if (isDryRun) return changes;
  await write(tx, offer, changes);
  const row = { fetchedAt: sql`${fetchedAt}::timestamptz` };
  await tx.insert(offerFetches).values(row).onConflictDoUpdate({ target: offerFetches.id, set: row });
  return changes;
}

async function isLate(tx: Transaction, fetchedAt: FetchedAt): Promise<boolean> {
  const later = sql`${offerFetches.fetchedAt} > ${fetchedAt}::timestamptz`;
  return (await tx.$count(offerFetches, later)) > 0;
}

function changesOf(kind: OfferChange["kind"], known: Row[], offered: Row[]): OfferChange[] {
  const before = new Map(known.map((row) => [row.id, row]));
  const now = new Set(offered.map(({ id }) => id));
  const offeredChanges = offered.flatMap(({ id, ...row }): OfferChange[] => {
    const old = before.get(id);
    if (old === undefined) return [{ kind, id, what: "new" }];
    return isDeepStrictEqual(old, { id, ...row }) ? [] : [{ kind, id, what: "changed" }];
  });
  const withdrawn = known.filter(({ id, active }) => active && !now.has(id));
  return [...offeredChanges, ...withdrawn.map(({ id }): OfferChange => ({ kind, id, what: "withdrawn" }))];
}

async function write(tx: Transaction, offer: Offer, changes: OfferChange[]): Promise<void> {
  const idsOf = (kind: OfferChange["kind"], isWithdrawn: boolean) =>
    changes
      .filter((one) => one.kind === kind && (one.what === "withdrawn") === isWithdrawn)
      .map(({ id }) => id);
  const changedProducts = idsOf("product", false);
  for (const product of offer.products.filter(({ id }) => changedProducts.includes(id))) {
    await tx.insert(products).values(product).onConflictDoUpdate({ target: products.id, set: product });
  }
  const changedPrices = idsOf("price", false);
  for (const price of offer.prices.filter(({ id }) => changedPrices.includes(id))) {
    await tx.insert(prices).values(price).onConflictDoUpdate({ target: prices.id, set: price });
  }
  const goneProducts = inArray(products.id, idsOf("product", true));
  await tx.update(products).set({ active: false }).where(goneProducts);
  const gonePrices = inArray(prices.id, idsOf("price", true));
  await tx.update(prices).set({ active: false }).where(gonePrices);
}
