import { and, desc, eq, ne } from "drizzle-orm";
import { ENDED_STATUSES } from "#app/domain/access/subscription-status.ts";
import { db } from "#db/client.server.ts";
import { invoices, subscriptions } from "#db/schema/billing.ts";
import { formatDate } from "../rules/format-date.ts";
import { formatMoney } from "../rules/format-money.ts";

const SHOWN = 100;
const ASK_IN_VAIN: InvoiceView["state"][] = ["onItsWay", "lapsed", "uncollectible"];

export interface InvoiceView {
  id: string;
  number: string | null;
  date: string;
  sum: string;
  /** "onItsWay": a bank transfer is pending. "lapsed": unpaid and its subscription over, so paying buys nothing. */
  state: "paid" | "partlyRefunded" | "refunded" | "open" | "onItsWay" | "lapsed" | "uncollectible" | "void";
  /** "$5.00", the rest of a partly paid sum; null otherwise. */
  remaining: string | null;
  refunded: string | null;
  /** The provider's page to see or pay it; null when it should not be paid. */
  pageUrl: string | null;
  pdfUrl: string | null;
}

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

interface InvoiceContext {
  buysNothing: boolean;
  isPaymentPending: boolean;
}

function viewOf(invoice: typeof invoices.$inferSelect, context: InvoiceContext): InvoiceView {
  const { id, number, currency, total, amountRemaining, amountRefunded, hostedUrl, pdfUrl, createdAt } =
    invoice;
  const state = stateOf(invoice, context);
  const isPartlyPaid = state === "open" && amountRemaining !== total;
  return {
    id,
    number,
    date: formatDate(createdAt),
    sum: formatMoney(total, currency),
    state,
    remaining: isPartlyPaid ? formatMoney(amountRemaining, currency) : null,
    refunded: amountRefunded > 0 ? formatMoney(amountRefunded, currency) : null,
    pageUrl: ASK_IN_VAIN.includes(state) ? null : hostedUrl,
    pdfUrl,
  };
}

function stateOf(
  { status, amountPaid, amountRefunded }: typeof invoices.$inferSelect,
  { buysNothing, isPaymentPending }: InvoiceContext,
): InvoiceView["state"] {
  if (status === "open" || status === "draft") {
    if (buysNothing) return "lapsed";
    return isPaymentPending ? "onItsWay" : "open";
  }
  if (status !== "paid") return status;
  if (amountRefunded === 0) return "paid";
  return amountRefunded >= amountPaid ? "refunded" : "partlyRefunded";
}
