import { eq, sql } from "drizzle-orm";
import { db, type Transaction } from "#db/client.server.ts";
import { customers } from "#db/schema/billing.ts";
import { askAboutSubscription } from "./ask-about.server.ts";
import { askAll } from "./ask-all.server.ts";
import type { Change } from "./change.ts";
import { type Findings, writeFindings } from "./findings.server.ts";
import { withPatience } from "./patience.ts";
import { currentProvider } from "./providers/current-provider.server.ts";

const JOB_PATIENCE_MS = 20_000;

/**
 * Asks the provider for everything of this person and writes it. Null when they have bought nothing here, or nothing is
 * for sale. Throws ProviderUnreachable.
 */
export async function refreshCustomer(userId: string): Promise<Change[] | null> {
  return compareCustomer(userId, { isDryRun: false });
}

/** As refreshCustomer, unless that was done within the last day; for a job, of which only a few are done at once. */
export async function refreshStaleCustomer(userId: string): Promise<Change[] | null> {
  const [stale] = await db.execute(sql`SELECT 1 FROM customers WHERE user_id = ${userId}
    AND (reconciled_at IS NULL OR reconciled_at < now() - interval '1 day')`);
  return stale ? withPatience(refreshCustomer(userId), JOB_PATIENCE_MS) : null;
}

/** As refreshCustomer, of one subscription. */
export async function refreshSubscription(id: string): Promise<Change[] | null> {
  const provider = currentProvider();
  if (provider === null) return null;
  const findings = await askAboutSubscription(provider, id);
  return db.transaction((tx) => writeFindings(tx, findings));
}

/** With `isDryRun` nothing is written, here and at the provider's. */
export async function compareCustomer(
  userId: string,
  { isDryRun }: { isDryRun: boolean },
): Promise<Change[] | null> {
  const provider = currentProvider();
  const [customer] = await db.select().from(customers).where(eq(customers.userId, userId));
  if (provider === null || customer?.provider !== provider.name) return null;
  const person = { userId, customerId: customer.providerCustomerId };
  const findings = await askAll(provider, person, { isDryRun });
  return isDryRun ? tryOut(findings) : db.transaction((tx) => writeAll(tx, findings, userId));
}

async function writeAll(tx: Transaction, findings: Findings, userId: string): Promise<Change[]> {
  const changes = await writeFindings(tx, findings);
  await tx.update(customers).set({ reconciledAt: sql`now()` }).where(eq(customers.userId, userId));
  return changes;
}

class TriedOut extends Error {
  constructor(readonly changes: Change[]) {
    super("Nothing is kept");
  }
}

/** Writes, sees what that changes, and takes it back. */
async function tryOut(findings: Findings): Promise<Change[]> {
  try {
    return await db.transaction(async (tx) => {
      throw new TriedOut(await writeFindings(tx, findings));
    });
  } catch (error) {
    if (error instanceof TriedOut) return error.changes;
    throw error;
  }
}
