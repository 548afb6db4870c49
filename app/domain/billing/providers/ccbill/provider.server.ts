import { networkText } from "#app/config/addresses.ts";
import type { Config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import { guardCalls } from "../calls/circuit-breaker.server.ts";
import { faultsOf, reasonUnlessDone } from "../calls/faults.ts";
import { impossible } from "../calls/impossible.ts";
import type { BillingProvider } from "../contract/provider.ts";
import { factRecords } from "../facts/fact-records.server.ts";
import { ccbillDataLink, NO_ANSWER } from "./data-link.server.ts";
import { CHECKOUT, unfitTerms } from "./payment-link.ts";
import { ccbillProbe } from "./probe.server.ts";
import { readCcbillFeed } from "./read-feed.server.ts";
import { receiveCcbillCall } from "./receive-call.ts";
import { CCBILL, formsPages } from "./settings.ts";
import { ccbillPurchases, ccbillSubscriptionApi } from "./subscription-api.server.ts";

/** No subscription has it, and only a login that works gets this answer. */
const NO_SUBSCRIPTION = "0";
const STATUS = { accepted: 200, form: 400, signature: 403, address: 403, token: 403, account: 403 };

/** Null without its settings. */
export function ccbillProvider({ ccbill: settings }: Config["billing"]): BillingProvider | null {
  if (settings === null) return null;
  // Only the calls are guarded: what is answered from stored facts needs no CCBill.
  const dataLink = guardCalls(ccbillDataLink(settings), faultsOf(NO_ANSWER));
  const records = factRecords(CCBILL);
  const probe = ccbillProbe(dataLink, records.readSubscription);
  return {
    name: CCBILL,
    pageOrigins: formsPages(settings),
    ...ccbillPurchases(records, settings),
    ...ccbillSubscriptionApi(dataLink, records, probe),
    readOffer: () => impossible("CCBill", "list a catalog"),
    unfit: unfitTerms,
    methods: ["POST"],
    receive: (call) => receiveCcbillCall(call, settings),
    answer: (outcome) => ({ status: STATUS[outcome], body: null }),
    readFeed: (until) => readCcbillFeed(dataLink, settings, until),
    probe: probe.probe,
    adopt: probe.adopt,
    findMissing: () => null,
    findFault: () => reasonUnlessDone(dataLink.readStatus(NO_SUBSCRIPTION)),
    setup: ({ webhook, site }) => [
      `enter at CCBill the webhook ${webhook}/<CCBILL_WEBHOOK_TOKEN>`,
      `the approval URL ${site}${decodeURIComponent(paths.subscribeReturn(`%%${CHECKOUT}%%`))}`,
      `the denial URL ${site}${paths.subscribe()}`,
      `events are accepted from ${settings.webhookRanges.map(networkText).join(", ")}`,
    ],
  };
}
