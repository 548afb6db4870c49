import { and, desc, eq, ne } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { invoices, subscriptions } from "#db/schema/billing.ts";
import { dayWords } from "./day-words.ts";
import { moneyWords } from "./money-words.ts";
import { ENDED_STATUSES } from "./owner.server.ts";

const SHOWN = 100;
const ASK_IN_VAIN: InvoiceView["state"][] = ["onItsWay", "lapsed", "uncollectible"];

export interface InvoiceView {
  id: string;
  number: string | null;
  /** "21 November 2026" */
  date: string;
  sum: string;
  /**
   * "onItsWay": a bank is sending the money. "lapsed": not paid, and its subscription is over, so that paying it would buy
   * nothing.
   */
  state: "paid" | "partlyRefunded" | "refunded" | "open" | "onItsWay" | "lapsed" | "uncollectible" | "void";
  /** What is left to pay where a part of the sum is paid, by credit for example: "$5.00". */
  remaining: string | null;
  /** "$5.00"; null when nothing was paid back. */
  refunded: string | null;
  /** The provider's page to see it, or to pay it while it is open, and its PDF. None where it asks for money in vain. */
  pageUrl: string | null;
  pdfUrl: string | null;
}

/** A person's invoices, newest first. */
export async function listInvoices(userId: string): Promise<InvoiceView[]> {
  const rows = await db
    .select({
      invoice: invoices,
      status: subscriptions.status,
      isPaymentPending: subscriptions.isPaymentPending,
    })
    .from(invoices)
    .leftJoin(subscriptions, eq(subscriptions.id, invoices.subscriptionId))
    .where(and(eq(invoices.userId, userId), ne(invoices.status, "draft")))
    .orderBy(desc(invoices.createdAt), desc(invoices.id))
    .limit(SHOWN);
  return rows.map(({ invoice, status, isPaymentPending }) => {
    const isOfSubscription = invoice.subscriptionId !== null;
    const buysNothing = isOfSubscription && (status === null || ENDED_STATUSES.includes(status));
    return viewOf(invoice, { buysNothing, isPaymentPending: isPaymentPending === true });
  });
}

interface Standing {
  buysNothing: boolean;
  isPaymentPending: boolean;
}

function viewOf(invoice: typeof invoices.$inferSelect, standing: Standing): InvoiceView {
  const { id, number, currency, total, amountRemaining, amountRefunded, hostedUrl, pdfUrl, createdAt } =
    invoice;
  const state = stateOf(invoice, standing);
  const isPartlyPaid = state === "open" && amountRemaining !== total;
  return {
    id,
    number,
    date: dayWords(createdAt),
    sum: moneyWords(total, currency),
    state,
    remaining: isPartlyPaid ? moneyWords(amountRemaining, currency) : null,
    refunded: amountRefunded > 0 ? moneyWords(amountRefunded, currency) : null,
    pageUrl: ASK_IN_VAIN.includes(state) ? null : hostedUrl,
    pdfUrl,
  };
}

function stateOf(
  { status, amountPaid, amountRefunded }: typeof invoices.$inferSelect,
  { buysNothing, isPaymentPending }: Standing,
): InvoiceView["state"] {
  if (status === "open" || status === "draft") {
    if (buysNothing) return "lapsed";
    return isPaymentPending ? "onItsWay" : "open";
  }
  if (status !== "paid") return status;
  if (amountRefunded === 0) return "paid";
  return amountRefunded >= amountPaid ? "refunded" : "partlyRefunded";
}
