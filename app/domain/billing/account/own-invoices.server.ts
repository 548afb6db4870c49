import { and, desc, eq, ne, sql } from "drizzle-orm";
import { formatDate } from "#app/dates.ts";
import { db } from "#db/client.server.ts";
import type { Checkout } from "#db/schema/checkouts.ts";
import { type Invoice, invoices } from "#db/schema/invoices.ts";
import { type Subscription, subscriptions } from "#db/schema/subscriptions.ts";
import { formatMoney } from "../rules/format-money.ts";
import { isLapsed, isPaidTooLate } from "../rules/lapsed-invoice.ts";
import { purchaseNews } from "../rules/purchase-sentence.ts";
import { otherSubscriptions, viewOther } from "../subscriptions/other-subscriptions.server.ts";
import { IS_BILLED } from "../subscriptions/own-subscription.server.ts";
import { WAS_REFUSED } from "../subscriptions/refundable-invoices.server.ts";

const MAX_INVOICES = 100;
const WITHOUT_PAY_PAGE: State[] = ["paymentPending", "lapsed", "uncollectible"];
const OWED: State[] = ["open", "paymentPending"];
const FORGIVEN: State[] = ["void", "uncollectible"];

export type InvoiceView = ReturnType<typeof viewInvoice>;
/** "paymentPending": a bank transfer is pending. "lapsed": unpaid, but nothing is due, because its subscription has ended. */
type State =
  | Exclude<Invoice["status"], "draft">
  | "partlyRefunded"
  | "refunded"
  | "disputed"
  | "paymentPending"
  | "lapsed"
  | "paidTooLate";

interface Asked {
  userId: string;
  subscriptionId: string | null;
  provider: string | null;
}

/** `owed`: 0 if the host canceled or wrote off this period's invoice, and null if the stored invoices do not tell. */
export async function findOwnPayments({ userId, subscriptionId, provider }: Asked) {
  const rows = await db
    .select({
      invoice: invoices,
      subscription: subscriptions,
      wasRefused: WAS_REFUSED,
      isCustomer: sql<boolean>`EXISTS (
        SELECT FROM customers WHERE user_id = ${userId} AND provider = ${provider})`,
      others: otherSubscriptions(userId, subscriptionId),
      purchase: seenPurchase(userId),
      isWithdrawn: sql<boolean>`EXISTS (SELECT FROM withdrawals WHERE subscription_id = ${subscriptionId})`,
    })
    .from(sql`(SELECT 1) AS person`)
    .leftJoin(invoices, and(eq(invoices.userId, userId), ne(invoices.status, "draft")))
    .leftJoin(subscriptions, IS_BILLED)
    .orderBy(desc(invoices.createdAt), desc(invoices.id))
    .limit(MAX_INVOICES);
  const [first] = rows;
  return {
    invoices: rows.flatMap(({ invoice, subscription, wasRefused }) =>
      invoice ? [viewInvoice(invoice, subscription, wasRefused)] : [],
    ),
    isCustomer: first?.isCustomer === true,
    owed: owedFor(subscriptionId, rows),
    others: (first?.others ?? []).map(viewOther),
    purchase: first?.purchase ? purchaseNews(first.purchase) : null,
    isWithdrawn: first?.isWithdrawn === true,
  };
}

type Seen = Pick<Checkout, "status" | "isPaymentPending" | "partPaid" | "unitAmount" | "currency">;

/** The newest one of which money has been seen that does not count yet. */
function seenPurchase(userId: string) {
  return sql<Seen | null>`(
    SELECT jsonb_build_object('status', status, 'isPaymentPending', is_payment_pending, 'partPaid', part_paid,
      'unitAmount', unit_amount, 'currency', currency)
    FROM checkouts WHERE user_id = ${userId} AND (is_payment_pending OR part_paid IS NOT NULL)
      AND created_at > now() - interval '30 days'
    ORDER BY created_at DESC LIMIT 1)`;
}

interface Billed {
  invoice: Invoice | null;
  subscription: Subscription | null;
  wasRefused: boolean;
}

function owedFor(subscriptionId: string | null, rows: Billed[]): number | null {
  const own = rows.flatMap(({ invoice, subscription, wasRefused }) =>
    invoice && subscription?.id === subscriptionId
      ? [{ invoice, subscription, state: stateOf(invoice, subscription, wasRefused) }]
      : [],
  );
  const due = own.filter(({ state }) => OWED.includes(state));
  if (due.length > 0) return due.reduce((sum, { invoice }) => sum + invoice.amountRemaining, 0);
  // An older invoice says nothing about this period's, which may not be stored yet.
  const isForgiven = own.some(
    ({ invoice, subscription, state }) =>
      FORGIVEN.includes(state) && invoice.createdAt >= subscription.currentPeriodStart,
  );
  return isForgiven ? 0 : null;
}

function viewInvoice(invoice: Invoice, subscription: Subscription | null, wasRefused: boolean) {
  const { id, number, currency, total, status, amountPaid, amountRemaining, amountRefunded, pdfUrl } =
    invoice;
  const state = stateOf(invoice, subscription, wasRefused);
  const isPartlyPaid = state === "open" && amountRemaining !== total;
  return {
    id,
    number,
    date: formatDate(invoice.createdAt),
    amount: formatMoney(total, currency),
    state,
    remaining: isPartlyPaid ? formatMoney(amountRemaining, currency) : null,
    /** Of a prepaid period, whose buyer decides how much to send. */
    received:
      subscription?.isPrepaid && status === "paid" && amountPaid !== total
        ? formatMoney(amountPaid, currency)
        : null,
    refunded: amountRefunded > 0 ? formatMoney(amountRefunded, currency) : null,
    pageUrl: WITHOUT_PAY_PAGE.includes(state) ? null : invoice.hostedUrl,
    pdfUrl,
  };
}

function stateOf(invoice: Invoice, subscription: Subscription | null, wasRefused: boolean): State {
  const { status, subscriptionId, amountPaid, amountRefunded, amountDisputed } = invoice;
  if (status === "open" || status === "draft") {
    const hasLapsed = subscription ? isLapsed(invoice, subscription) : subscriptionId !== null;
    if (hasLapsed) return "lapsed";
    return subscription?.isPaymentPending ? "paymentPending" : "open";
  }
  if (status !== "paid") return status;
  if (amountRefunded === 0 && amountDisputed > 0) return "disputed";
  if (amountRefunded === 0)
    return subscription && isPaidTooLate(invoice, subscription, wasRefused) ? "paidTooLate" : "paid";
  return amountRefunded >= amountPaid ? "refunded" : "partlyRefunded";
}
