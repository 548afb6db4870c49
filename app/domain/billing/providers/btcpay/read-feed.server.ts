import { and, eq, inArray, isNotNull } from "drizzle-orm";
import { z } from "zod";
import { addDays } from "#app/dates.ts";
import { db } from "#db/client.server.ts";
import { readOne, timestamp } from "#db/rows.ts";
import { billingFacts } from "#db/schema/billing-events.ts";
import { type Checkout, checkouts } from "#db/schema/checkouts.ts";
import type { Told } from "../contract/events.ts";
import { ourId } from "../contract/facts.ts";
import type { BtcpayInvoice, InvoiceApi } from "./invoice-api.server.ts";
import { isPaid, isTakenBack, returnIdOf, saleIdOf, seenOf } from "./invoice-facts.ts";
import { BTCPAY } from "./settings.ts";

/** A page is watched for a day after it has closed; the rest is for what the host does by hand. */
const WINDOW_DAYS = 14;
const MAX_WINDOW_DAYS = 90;

/** Purchases whose pages say something that is not known here: BTCPay repeats an event for an hour only. */
export async function readBtcpayFeed(api: InvoiceApi, until: Date): Promise<Told[]> {
  const pages = new Map<string, BtcpayInvoice[]>();
  for (const page of await api.listSince(await findStart(until))) {
    const { data: orderId } = z.uuid().safeParse(page.metadata?.orderId);
    if (orderId !== undefined) pages.set(orderId, [...(pages.get(orderId) ?? []), page]);
  }
  const isTheirs = and(eq(checkouts.provider, BTCPAY), isNotNull(checkouts.userId));
  const purchases = await db
    .select()
    .from(checkouts)
    .where(and(isTheirs, inArray(checkouts.id, [...pages.keys()])));
  const known = await listKnownFacts([...pages.values()].flat());
  const news = purchases.filter((one) => !isKnown(one, pages.get(one.id) ?? [], known));
  return news.map(({ id }) => hint(id, until));
}

/** Further back after an outage, to the oldest purchase whose end is not known. */
function findStart(until: Date): Promise<Date> {
  const [usual, first] = [addDays(until, -WINDOW_DAYS), addDays(until, -MAX_WINDOW_DAYS)];
  return readOne(db, timestamp)`
    SELECT greatest(${first.toISOString()}::timestamptz, least(${usual.toISOString()}::timestamptz,
      min(created_at) - interval '1 hour'))
    FROM checkouts WHERE provider = ${BTCPAY} AND (status = 'open' OR is_payment_pending)`;
}

async function listKnownFacts(pages: BtcpayInvoice[]): Promise<Set<string>> {
  const ids = pages.flatMap((page) => [saleIdOf(page), returnIdOf(page)]);
  const found = await db
    .select({ id: billingFacts.id })
    .from(billingFacts)
    .where(inArray(billingFacts.id, ids));
  return new Set(found.map(({ id }) => id));
}

function isKnown(
  { status, isPaymentPending, partPaid }: Checkout,
  pages: BtcpayInvoice[],
  facts: Set<string>,
): boolean {
  const paid = pages.filter(isPaid);
  const takenBack = pages.filter((page) => isTakenBack(page) && facts.has(saleIdOf(page)));
  if (!paid.every((page) => facts.has(saleIdOf(page)))) return false;
  if (!takenBack.every((page) => facts.has(returnIdOf(page)))) return false;
  if (status === "completed" || paid.length > 0) return true;
  const seen = seenOf(pages);
  const isSame = seen.isPaymentPending === isPaymentPending && seen.partPaid === partPaid;
  return isSame && (seen.isOpen || status !== "open");
}

function hint(checkoutId: string, until: Date): Told {
  const id = ourId(BTCPAY, `feed:${checkoutId}:${until.toISOString()}`);
  const about = { subject: { kind: "checkout", id: checkoutId } as const, customerId: null };
  return {
    event: { id, type: "invoice without its event", createdAt: until, ...about, isOtherSite: false },
    facts: [],
  };
}
