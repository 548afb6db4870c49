// Needed because the events of some providers are the only truth, and an event can be lost: decision 219.
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { flag, readOne, readRows, text } from "#db/rows.ts";
import { billingEvents } from "#db/schema/billing-events.ts";
import { type BillingProvider, ProviderUnreachable } from "../providers/contract/provider.ts";
import { listProbedProviders, listProvidersOfFacts } from "../providers/providers.server.ts";
import { refreshSubscription } from "../sync/reconcile.server.ts";
import { FEED } from "./missed-events.server.ts";
import { storeTold } from "./receive-event.server.ts";

/** A minute more than providers ask for, whose clock is not ours. */
const FEED_EVERY = sql`interval '61 minutes'`;
const PAUSE_MS = 500;
/** A few jobs share the runner. */
const PROBE_FOR_MS = 5 * 60_000;

export interface Asked {
  provider: string;
  /** Events that had not come by themselves, or facts that disagreed. */
  found: number;
  /** Why the rest was left, in a line for the host. */
  failed: string | null;
}

/** Lists of what happened, at providers that have one, once an hour each. */
export async function readFeeds(): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const provider of listProvidersOfFacts()) {
    if (!(await claimFeed(provider.name))) continue;
    const until = await readDatabaseTime();
    const told = await provider.readFeed(until).catch(reasonOf);
    if (typeof told === "string") asked.push({ provider: provider.name, found: 0, failed: told });
    let found = 0;
    for (const one of typeof told === "string" ? [] : (told ?? []))
      if (await storeTold(provider.name, one)) found += 1;
    if (typeof told !== "string") asked.push({ provider: provider.name, found, failed: null });
  }
  return asked;
}

/** One subscription at a time: the doubtful ones each hour, and each other one once a day. */
export async function probeSubscriptions(): Promise<Asked[]> {
  const endsAt = performance.now() + PROBE_FOR_MS;
  const asked: Asked[] = [];
  // Nothing happens to a prepaid period.
  for (const provider of listProbedProviders()) {
    const result: Asked = { provider: provider.name, found: 0, failed: null };
    for (const id of await listProbed(provider)) {
      if (performance.now() > endsAt) break;
      const isNews = await provider.probe(id).catch(reasonOf);
      if (typeof isNews === "string") {
        result.failed = isNews;
        break;
      }
      if (isNews) {
        result.found += 1;
        await refreshSubscription(provider.name, id);
      }
      await sleep(PAUSE_MS);
    }
    asked.push(result);
  }
  return asked;
}

function reasonOf(error: unknown): string {
  if (error instanceof ProviderUnreachable) return error.message;
  throw error;
}

/** Kept with the events, whose rows are deleted after their time. */
async function claimFeed(provider: string): Promise<boolean> {
  const isRested = await readOne(db, flag)`SELECT NOT EXISTS (SELECT FROM billing_events
    WHERE provider = ${provider} AND type = ${FEED} AND received_at > now() - ${FEED_EVERY})`;
  if (!isRested) return false;
  const now = await readDatabaseTime();
  const event = { id: `${provider}:${FEED}:${now.toISOString()}`, provider, type: FEED, createdAt: now };
  const nothing = { subject: "", subjectId: "", customerId: null, processedAt: now, outcome: "written" };
  await db.insert(billingEvents).values({ ...event, ...nothing });
  return true;
}

/** Sales about which the provider has not answered, renewals that are late, and a part of the others. */
function listProbed({ name }: BillingProvider): Promise<string[]> {
  return readRows(db, text)`
    SELECT id FROM subscriptions, LATERAL (SELECT current_period_end < now() OR NOT EXISTS (
        SELECT FROM billing_facts WHERE subscription_id = subscriptions.id AND fact ->> 'kind' IN ('probed', 'closed')
      ) AS is_doubtful) doubt
    WHERE provider = ${name} AND ended_at IS NULL
      AND (is_doubtful OR abs(hashtext(id) % 24) = extract(hour FROM now()))
    ORDER BY is_doubtful DESC, random()`;
}
