import { and, desc, eq, ne, sql } from "drizzle-orm";
import { formatDate } from "#app/dates.ts";
import { ENDED_STATUSES } from "#app/domain/access/subscription-state.ts";
import { db } from "#db/client.server.ts";
import { type Invoice, invoices, type Subscription, subscriptions } from "#db/schema/billing.ts";
import { formatMoney } from "../rules/format-money.ts";
import { otherSubscriptions, viewOther } from "../subscriptions/other-subscriptions.server.ts";

const MAX_INVOICES = 100;
const NOT_TO_BE_PAID: State[] = ["paymentPending", "lapsed", "uncollectible"];

export type InvoiceView = ReturnType<typeof viewInvoice>;
/** "paymentPending": a bank transfer is pending. "lapsed": unpaid and its subscription over, so paying buys nothing. */
type State =
  | Exclude<Invoice["status"], "draft">
  | "partlyRefunded"
  | "refunded"
  | "paymentPending"
  | "lapsed";

interface Asked {
  userId: string;
  subscriptionId: string | null;
  provider: string | null;
}

/** One statement: the account page has a round trip for it only. */
export async function findOwnPayments({ userId, subscriptionId, provider }: Asked) {
  const rows = await db
    .select({
      invoice: invoices,
      subscription: subscriptions,
      isCustomer: sql<boolean>`EXISTS (
        SELECT FROM customers WHERE user_id = ${userId} AND provider = ${provider})`,
      owed: sql<number | null>`(SELECT sum(due.amount_remaining)::float8 FROM invoices due
        WHERE due.subscription_id = ${subscriptionId} AND due.status = 'open')`,
      others: otherSubscriptions(userId, subscriptionId),
      isWithdrawn: sql<boolean>`EXISTS (SELECT FROM withdrawals WHERE subscription_id = ${subscriptionId})`,
    })
    .from(sql`(SELECT 1) AS person`)
    .leftJoin(invoices, and(eq(invoices.userId, userId), ne(invoices.status, "draft")))
    .leftJoin(subscriptions, eq(subscriptions.id, invoices.subscriptionId))
    .orderBy(desc(invoices.createdAt), desc(invoices.id))
    .limit(MAX_INVOICES);
  const [first] = rows;
  return {
    invoices: rows.flatMap(({ invoice, subscription }) =>
      invoice ? [viewInvoice(invoice, subscription)] : [],
    ),
    isCustomer: first?.isCustomer === true,
    owed: first?.owed ?? null,
    others: (first?.others ?? []).map(viewOther),
    isWithdrawn: first?.isWithdrawn === true,
  };
}

function viewInvoice(invoice: Invoice, subscription: Subscription | null) {
  const { id, number, currency, total, amountRemaining, amountRefunded, pdfUrl } = invoice;
  const state = stateOf(invoice, subscription);
  const isPartlyPaid = state === "open" && amountRemaining !== total;
  return {
    id,
    number,
    date: formatDate(invoice.createdAt),
    sum: formatMoney(total, currency),
    state,
    /** "$5.00", the rest of a partly paid sum; null otherwise. */
    remaining: isPartlyPaid ? formatMoney(amountRemaining, currency) : null,
    refunded: amountRefunded > 0 ? formatMoney(amountRefunded, currency) : null,
    /** The provider's page to see or pay it; null when it should not be paid. */
    pageUrl: NOT_TO_BE_PAID.includes(state) ? null : invoice.hostedUrl,
    pdfUrl,
  };
}

/** A change of plan may be billed at the end of a cancelled subscription, and is due. */
function isLastSum({ createdAt }: Invoice, subscription: Subscription | null): boolean {
  const endedAt = subscription?.cancelAtPeriodEnd ? subscription.endedAt : null;
  return endedAt !== null && createdAt >= endedAt;
}

function stateOf(invoice: Invoice, subscription: Subscription | null): State {
  const { status, subscriptionId, amountPaid, amountRefunded } = invoice;
  if (status === "open" || status === "draft") {
    const isOver = subscription === null || ENDED_STATUSES.includes(subscription.status);
    if (subscriptionId !== null && isOver && !isLastSum(invoice, subscription)) return "lapsed";
    return subscription?.isPaymentPending ? "paymentPending" : "open";
  }
  if (status !== "paid") return status;
  if (amountRefunded === 0) return "paid";
  return amountRefunded >= amountPaid ? "refunded" : "partlyRefunded";
}
