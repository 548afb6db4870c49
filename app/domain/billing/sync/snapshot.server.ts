import { isDeepStrictEqual } from "node:util";
import { type SQL, sql, TransactionRollbackError } from "drizzle-orm";
import { db, type Transaction } from "#db/client.server.ts";
import { readOne, text } from "#db/rows.ts";
import type {
  BillingProvider,
  ChargeSnapshot,
  CheckoutSnapshot,
  CustomerSnapshot,
  InvoiceSnapshot,
  Offer,
  SubscriptionSnapshot,
} from "../providers/contract/provider.ts";
import type { Difference, Outcome } from "../rules/sync-outcome.ts";

/** Database time before a fetch. SQL, since a Date would lose the microseconds. */
export type FetchedAt = SQL;

/** Checkouts and charges may be older than `fetchedAt`: they are written whatever the order. Anything not fetched is empty. */
export type ProviderSnapshot = Awaited<ReturnType<typeof beginSnapshot>>;

/** Call it before fetching: the answers are at least this recent. */
export async function beginSnapshot(provider: string) {
  return {
    provider,
    fetchedAt: await readFetchTime(),
    offer: null as Offer | null,
    customer: null as CustomerSnapshot | null,
    checkouts: [] as CheckoutSnapshot[],
    subscriptions: [] as SubscriptionSnapshot[],
    unknownSubscriptions: [] as string[],
    invoices: [] as InvoiceSnapshot[],
    charges: [] as ChargeSnapshot[],
    differences: [] as Difference[],
  };
}

export async function fetchSubscriptions(
  provider: BillingProvider,
  ids: (string | null)[],
  begun?: ProviderSnapshot,
): Promise<ProviderSnapshot> {
  const snapshot = begun ?? (await beginSnapshot(provider.name));
  for (const id of ids) {
    if (id === null) continue;
    const subscription = await provider.readSubscription(id);
    if (subscription === null) snapshot.unknownSubscriptions.push(id);
    else snapshot.subscriptions.push(subscription);
  }
  return snapshot;
}

export async function readFetchTime(): Promise<FetchedAt> {
  return sql`${await readOne(db, text)`SELECT clock_timestamp()::text`}::timestamptz`;
}

export function differenceOf<Row extends object>(before: Row | undefined, after: Row): Outcome {
  if (before === undefined) return "new";
  const isSame = isDeepStrictEqual({ ...before, fetchedAt: null }, { ...after, fetchedAt: null });
  return isSame ? "same" : "changed";
}

export async function previewWrite(write: (tx: Transaction) => Promise<Difference[]>): Promise<Difference[]> {
  let differences: Difference[] = [];
  const preview = db.transaction(async (tx) => {
    differences = await write(tx);
    tx.rollback();
  });
  await preview.catch((error) => {
    if (!(error instanceof TransactionRollbackError)) throw error;
  });
  return differences;
}
