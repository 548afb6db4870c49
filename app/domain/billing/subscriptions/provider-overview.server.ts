import { z } from "zod";
import { FINISHED_KINDS, STATE_KINDS } from "#app/domain/access/subscription-state.ts";
import { db } from "#db/client.server.ts";
import { flag, number, readRows, text, timestamp } from "#db/rows.ts";
import { DEMO_PROVIDER } from "../providers/contract/capabilities.ts";
import { providerOf, providers, sellingProvider } from "../providers/providers.server.ts";
import { periodEnd } from "./days-of-grace.server.ts";
import { stateKind } from "./subscription-state.server.ts";

const Subscriptions = z.object({
  provider: text,
  kind: z.enum(STATE_KINDS),
  /** The site has ended the renewal. */
  isMoved: flag,
  amount: number,
  /** Of these, the periods that end within so many days. */
  within7: number,
  within30: number,
  last: timestamp,
});

/** Each provider that is set up, or that has sold a subscription which is not over. */
export async function listProviders() {
  const rows = await readRows(db, Subscriptions)`
    SELECT s.provider, k.kind, k.kind = 'ending' AND coalesce(s.renewal_ended_by = 'site', false) AS "isMoved", count(*)::int AS amount,
      count(*) FILTER (WHERE k.ends <= now() + interval '7 days')::int AS within7,
      count(*) FILTER (WHERE k.ends <= now() + interval '30 days')::int AS within30, max(k.ends) AS last
    FROM subscriptions s CROSS JOIN LATERAL (SELECT ${stateKind()} AS kind, ${periodEnd()} AS ends) k
    WHERE s.provider <> ${DEMO_PROVIDER} AND k.kind NOT IN ${FINISHED_KINDS}
    GROUP BY s.provider, k.kind, "isMoved" ORDER BY s.provider, amount DESC, k.kind`;
  const names = new Set([...providers().keys(), ...rows.map(({ provider }) => provider)]);
  return [...names].map((name) => ({
    name,
    isSetUp: providerOf(name) !== null,
    isSelling: sellingProvider()?.name === name,
    subscriptions: rows.filter(({ provider }) => provider === name),
  }));
}
