import { sql } from "drizzle-orm";
import { ENDED_STATUSES } from "#app/domain/access/subscription-state.ts";
import { impossible } from "../calls/impossible.ts";
import { type Fact, ourId, theirId } from "../contract/facts.ts";
import type { Purchases, SubscriptionApi } from "../contract/provider.ts";
import type { factRecords } from "../facts/fact-records.server.ts";
import { readFacts, readTimeAfter, storeFacts } from "../facts/stored-facts.server.ts";
import type { DataLink } from "./data-link.server.ts";
import { paymentLink } from "./payment-link.ts";
import type { Probe } from "./probe.server.ts";
import { CCBILL, type CcbillSettings } from "./settings.ts";

type Records = ReturnType<typeof factRecords>;

/** CCBill can be asked for little more than a status, so that the answers are made from what its events have said. */
export function ccbillSubscriptionApi(
  dataLink: DataLink,
  records: Records,
  { confirmSale }: Probe,
): SubscriptionApi {
  const cancel = async (id: string, ended: Fact) => {
    await dataLink.cancel(theirId(CCBILL, id));
    const at = await readTimeAfter(await readFacts(CCBILL, sql`${id}`));
    // Otherwise the page would show no change until CCBill's event arrives.
    const factId = ourId(CCBILL, `${ended.kind}:${theirId(CCBILL, id)}:here`);
    await storeFacts(CCBILL, [{ ...ended, id: factId, at }]);
  };
  return {
    ...records,
    readSubscription: async (id) => {
      await confirmSale(id);
      return records.readSubscription(id);
    },
    listSubscriptions: async (customerId) => {
      for (const { id } of await records.listSubscriptions(customerId)) await confirmSale(id);
      return records.listSubscriptions(customerId);
    },
    endAtPeriodEnd: async (id) => {
      const subscription = await records.readSubscription(id);
      if (subscription && ENDED_STATUSES.includes(subscription.status)) return;
      await cancel(id, { kind: "canceled", subscriptionId: id, ends: "paidUntil", by: "site" });
    },
    endNow: async (id) => {
      const subscription = await records.readSubscription(id);
      if (subscription && ENDED_STATUSES.includes(subscription.status)) return;
      await cancel(id, { kind: "closed", subscriptionId: id });
    },
    // An unpaid renewal is no bill that could be paid later.
    voidInvoice: async () => {},
    keep: () => impossible("CCBill", "undo a cancellation"),
    resume: () => impossible("CCBill", "resume a subscription"),
  };
}

export function ccbillPurchases(records: Records, settings: CcbillSettings): Purchases {
  return {
    createCustomer: records.createCustomer,
    readCheckout: records.readCheckout,
    startCheckout: async (order) => ({
      id: order.checkoutId,
      checkoutId: order.checkoutId,
      customerId: order.customerId,
      status: "open",
      isPaymentPending: false,
      partPaid: null,
      url: paymentLink(order, settings),
      subscriptionId: null,
      sold: [],
    }),
    expireCheckout: () => impossible("CCBill", "close a payment page"),
    closePages: () => impossible("CCBill", "close a payment page"),
    // Its subscriptions are ended before, and it is a number of ours.
    forgetCustomer: async () => {},
    openPortal: () => impossible("CCBill", "open a portal"),
  };
}
