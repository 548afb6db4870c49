import { and, desc, eq, ne } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { invoices, subscriptions } from "#db/schema/billing.ts";
import { dayWords } from "./day-words.ts";
import { moneyWords } from "./money-words.ts";
import { ENDED_STATUSES } from "./owner.server.ts";

const SHOWN = 100;

export interface InvoiceView {
  id: string;
  number: string | null;
  /** "21 November 2026" */
  date: string;
  sum: string;
  /** "lapsed": not paid, and its subscription is over, so that paying it would buy nothing. */
  state: "paid" | "partlyRefunded" | "refunded" | "open" | "lapsed" | "uncollectible" | "void";
  /** "$5.00"; null when nothing was paid back. */
  refunded: string | null;
  /** The provider's page to see it, or to pay it while it is open, and its PDF. None where it asks for money in vain. */
  pageUrl: string | null;
  pdfUrl: string | null;
}

/** A person's invoices, newest first. */
export async function listInvoices(userId: string): Promise<InvoiceView[]> {
  const rows = await db
    .select({ invoice: invoices, status: subscriptions.status })
    .from(invoices)
    .leftJoin(subscriptions, eq(subscriptions.id, invoices.subscriptionId))
    .where(and(eq(invoices.userId, userId), ne(invoices.status, "draft")))
    .orderBy(desc(invoices.createdAt), desc(invoices.id))
    .limit(SHOWN);
  return rows.map(({ invoice, status }) => {
    const buysNothing =
      invoice.subscriptionId !== null && (status === null || ENDED_STATUSES.includes(status));
    return viewOf(invoice, buysNothing);
  });
}

function viewOf(invoice: typeof invoices.$inferSelect, buysNothing: boolean): InvoiceView {
  const { id, number, currency, total, amountRefunded, hostedUrl, pdfUrl, createdAt } = invoice;
  const state = stateOf(invoice, buysNothing);
  return {
    id,
    number,
    date: dayWords(createdAt),
    sum: moneyWords(total, currency),
    state,
    refunded: amountRefunded > 0 ? moneyWords(amountRefunded, currency) : null,
    pageUrl: state === "lapsed" || state === "uncollectible" ? null : hostedUrl,
    pdfUrl,
  };
}

function stateOf(
  { status, amountPaid, amountRefunded }: typeof invoices.$inferSelect,
  buysNothing: boolean,
): InvoiceView["state"] {
  if (status === "open" || status === "draft") return buysNothing ? "lapsed" : "open";
  if (status !== "paid") return status;
  if (amountRefunded === 0) return "paid";
  return amountRefunded >= amountPaid ? "refunded" : "partlyRefunded";
}
