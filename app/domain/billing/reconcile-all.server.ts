import { eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { customers } from "#db/schema/billing.ts";
import { type Change, isDifference } from "./change.ts";
import { markFormer } from "./former-provider.server.ts";
import { mirrorOffer } from "./mirror-offer.server.ts";
import { currentProvider } from "./providers/current-provider.server.ts";
import { ProviderUnreachable } from "./providers/provider.ts";
import { compareCustomer } from "./reconcile.server.ts";

/** People asked about at once. */
const AT_ONCE = 4;
/** That many in a row, and it is not they who cannot be asked about, but the provider that cannot be asked. */
const MOST_FAILURES_IN_A_ROW = 8;

export interface Reconciled {
  offer: Change[];
  /** Of whom something differed. */
  people: { userId: string; changes: Change[] }[];
  /** Who could not be compared, with a line for the host. */
  failed: { userId: string; why: string }[];
  compared: number;
  /** Of those, of whom the provider does not know the customer or a subscription: its key is of another account. */
  unknown: number;
  /** How many the time was too short for, or the provider away; they are the first the next time. */
  left: number;
}

/**
 * Compares the offer and everybody who has bought here with the provider, and writes the difference; with `isDryRun`
 * nothing. One who cannot be compared does not stop the others. Null without a provider; throws ProviderUnreachable when
 * it cannot be asked at all.
 */
export async function reconcileAll({
  isDryRun,
  withinMs,
}: {
  isDryRun: boolean;
  withinMs: number;
}): Promise<Reconciled | null> {
  const endsAt = Date.now() + withinMs;
  const provider = currentProvider();
  const mirrored = await mirrorOffer({ isDryRun });
  if (provider === null || mirrored === null) return null;
  if (!isDryRun) await markFormer(provider.name);
  const waiting = await listCustomers(provider.name);
  const result: Reconciled = {
    offer: mirrored.changes,
    people: [],
    failed: [],
    compared: 0,
    unknown: 0,
    left: 0,
  };
  let failuresInARow = 0;
  const compareNext = async () => {
    for (let userId = waiting.shift(); userId !== undefined; userId = waiting.shift()) {
      const isHopeless = failuresInARow >= MOST_FAILURES_IN_A_ROW;
      if (isHopeless || Date.now() > endsAt) return void waiting.unshift(userId);
      try {
        const changes = ((await compareCustomer(userId, { isDryRun })) ?? []).filter(isDifference);
        if (changes.length > 0) result.people.push({ userId, changes });
        if (changes.some(({ what }) => what === "unknown")) result.unknown += 1;
        result.compared += 1;
        failuresInARow = 0;
      } catch (error) {
        failuresInARow += 1;
        result.failed.push({ userId, why: lineOf(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, compareNext));
  return { ...result, left: waiting.length };
}

/** Who has waited longest first. */
async function listCustomers(provider: string): Promise<string[]> {
  const rows = await db
    .select({ userId: customers.userId })
    .from(customers)
    .where(eq(customers.provider, provider))
    .orderBy(sql`${customers.reconciledAt} NULLS FIRST`);
  return rows.map(({ userId }) => userId);
}

/** What else is thrown may name what somebody has. */
function lineOf(error: unknown): string {
  return error instanceof ProviderUnreachable ? error.message : "It could not be written.";
}
