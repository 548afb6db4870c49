import { readDatabaseTime } from "#db/clock.server.ts";
import { decimalsOf } from "../../rules/format-money.ts";
import { impossible } from "../calls/impossible.ts";
import type { Purchases, SubscriptionApi } from "../contract/provider.ts";
import { type factRecords, findOrder } from "../facts/fact-records.server.ts";
import { readSales, storeFacts } from "../facts/stored-facts.server.ts";
import type { InvoiceApi } from "./invoice-api.server.ts";
import { isPaid, isTakenBack, returnOf, saleOf, seenOf, transactionOf } from "./invoice-facts.ts";
import { BTCPAY } from "./settings.ts";

/** The store's own default of 15 minutes is short for somebody who opens a wallet first. */
const EXPIRATION_MINUTES = 60;

type Records = ReturnType<typeof factRecords>;

/** A purchase is an order at BTCPay, and its page an invoice. Their ids are ours; nothing about the buyer is sent. */
export function btcpayPurchases(api: InvoiceApi, records: Records): Purchases {
  return {
    createCustomer: records.createCustomer,
    startCheckout: async ({ checkoutId, customerId, terms, returnUrl }) => {
      // An answer may have been lost.
      const open = (await api.listOf(checkoutId)).find(({ status }) => status === "New");
      const wanted = {
        orderId: checkoutId,
        amount: decimalsOf(terms.first.amount, terms.currency),
        currency: terms.currency,
        redirectURL: returnUrl,
        expirationMinutes: EXPIRATION_MINUTES,
      };
      const { checkoutLink } = open ?? (await api.create(wanted));
      return {
        id: checkoutId,
        checkoutId,
        customerId,
        status: "open",
        isPaymentPending: false,
        partPaid: null,
        url: checkoutLink,
        subscriptionId: null,
        sold: [],
      };
    },
    readCheckout: async (id) => {
      const pages = await api.listOf(id);
      const isOurs = await keepFacts(api, id, pages);
      const known = await records.readCheckout(id);
      if (known === null || known.status === "completed") return known;
      // Paid for an account that is gone: the host has to send it back.
      if (!isOurs && pages.some(isPaid)) return { ...known, status: "completed" };
      const { isOpen, ...seen } = seenOf(pages);
      // A page that another has replaced here may still be open there.
      return { ...known, ...seen, status: isOpen ? "open" : "expired" };
    },
    expireCheckout: () => impossible("BTCPay Server", "close a payment page for good"),
    closePages: () => impossible("BTCPay Server", "close a payment page for good"),
    // It is a number of ours.
    forgetCustomer: async () => {},
    openPortal: () => impossible("BTCPay Server", "open a portal"),
  };
}

/** Paid time ends by itself, and nobody is charged. */
export function btcpaySubscriptionApi(records: Records): SubscriptionApi {
  return {
    ...records,
    endAtPeriodEnd: async () => {},
    endNow: async (subscriptionId) => {
      const at = await readDatabaseTime();
      const id = `${subscriptionId}:closed:${at.toISOString()}`;
      await storeFacts(BTCPAY, [{ kind: "closed", subscriptionId, id, at }]);
    },
    voidInvoice: async () => {},
    keep: () => impossible("BTCPay Server", "undo a cancellation"),
    resume: () => impossible("BTCPay Server", "resume a subscription"),
  };
}

/** What the pages say for certain, each once. False for a purchase that is not ours, or of a member who is gone. */
async function keepFacts(
  api: InvoiceApi,
  checkoutId: string,
  pages: Awaited<ReturnType<InvoiceApi["listOf"]>>,
): Promise<boolean> {
  const order = await findOrder(BTCPAY, checkoutId);
  if (order === null) return false;
  const sales = await readSales(BTCPAY, checkoutId);
  const now = await readDatabaseTime();
  for (const page of pages) {
    const sale = sales.find(({ transactionId }) => transactionId === transactionOf(page));
    if (sale === undefined && isPaid(page)) {
      const sold = saleOf(page, { payments: await api.listPayments(page.id), order, now });
      if (sold !== null) await storeFacts(BTCPAY, [sold]);
    }
    if (sale !== undefined && isTakenBack(page)) await storeFacts(BTCPAY, [returnOf(page, sale, now)]);
  }
  return true;
}
