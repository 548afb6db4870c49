import { parseAmount, sumOf, written } from "./amounts.ts";
import type { Invoice, Payment } from "./state.ts";

const MARKS = ["Settled", "Invalid"];
/** What one bitcoin costs, in any currency. */
export const RATE = 50_000;

/** An invoice as the API gives it. */
export function invoiceView(
  { payments, ...invoice }: Invoice,
  { storeId, origin }: { storeId: string; origin: string },
) {
  return {
    ...invoice,
    storeId,
    paidAmount: written(sumOf(payments.map(({ value }) => value)), invoice.amount),
    type: "Standard",
    checkoutLink: `${origin}/i/${invoice.id}`,
    availableStatusesForManualMarking: MARKS.filter((status) => status !== invoice.status),
    archived: false,
  };
}

/** The value of a payment is in bitcoin. */
export function paymentView({ id, receivedDate, status, ...payment }: Payment) {
  const value = written((parseAmount(payment.value) ?? 0) / RATE, "0.00000000");
  return { id, receivedDate, value, fee: "0.0", status, destination: "of-the-stand-in" };
}
