import { sql } from "drizzle-orm";
import { SALE_WITHOUT_EVENT, type Told } from "../contract/events.ts";
import { ourId, theirId } from "../contract/facts.ts";
import { readFacts } from "../facts/stored-facts.server.ts";
import { arizonaDay, arizonaDigits, daysLater } from "./arizona-time.ts";
import type { DataLink } from "./data-link.server.ts";
import { type ExtractRow, factOfRow, readExtract, type Sale } from "./read-extract.ts";
import { CCBILL, type CcbillSettings } from "./settings.ts";

/** CCBill gives no more at once. */
const WINDOW_DAYS = 1;

/** What webhooks should have told, with the ids of their facts, so that nothing counts twice. */
export async function readCcbillFeed(
  dataLink: DataLink,
  settings: CcbillSettings,
  until: Date,
): Promise<Told[] | null> {
  const startTime = arizonaDigits(daysLater(until, -WINDOW_DAYS));
  const text = await dataLink.readExtract({ startTime, endTime: arizonaDigits(until) });
  const feed = readExtract(text, settings, until);
  if (feed === null) return null;
  const told = await Promise.all(
    feed.rows.map(async (row) => toldBy(row, await findSale(row.subscriptionId))),
  );
  return [...told.filter((one) => one !== null), ...(feed.skipped > 0 ? [unreadable(until)] : [])];
}

/** One a day, for the host to see. */
function unreadable(at: Date): Told {
  const id = ourId(CCBILL, `feed:unreadable:${arizonaDay(at)}`);
  const nothing = { subject: null, customerId: null, isOtherSite: false, isUnknown: true };
  return { event: { id, type: "unreadable lines of the extract", createdAt: at, ...nothing }, facts: [] };
}

/** Without its sale, nobody can tell whose a subscription is: only the webhook names the purchase. */
function toldBy(row: ExtractRow, sale: Sale | null): Told | null {
  const { kind, subscriptionId, at } = row;
  const isSale = kind === "NEW";
  if (isSale && sale !== null) return null;
  const fact = sale && factOfRow(row, sale);
  const about = fact?.id ?? ourId(CCBILL, `${kind}:${theirId(CCBILL, subscriptionId)}`);
  return {
    event: {
      id: about.replace(`${CCBILL}:`, `${CCBILL}:feed:`),
      type: isSale ? SALE_WITHOUT_EVENT : kind,
      createdAt: at,
      subject: { kind: "facts", id: subscriptionId },
      customerId: null,
      isOtherSite: false,
      isUnknown: fact === null,
    },
    facts: fact === null ? [] : [fact],
  };
}

async function findSale(subscriptionId: string): Promise<Sale | null> {
  const facts = await readFacts(CCBILL, sql`${subscriptionId}`);
  return facts.find((one) => one.kind === "sale") ?? null;
}
