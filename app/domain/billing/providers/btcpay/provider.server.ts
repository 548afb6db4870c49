import type { Config } from "#app/config.server.ts";
import { guardCalls } from "../calls/circuit-breaker.server.ts";
import { faultsOf, reasonUnlessDone } from "../calls/faults.ts";
import { impossible } from "../calls/impossible.ts";
import type { BillingProvider } from "../contract/provider.ts";
import { factRecords } from "../facts/fact-records.server.ts";
import { btcpayInvoiceApi, type InvoiceApi, NO_ANSWER } from "./invoice-api.server.ts";
import { btcpayPurchases, btcpaySubscriptionApi } from "./purchases.server.ts";
import { readBtcpayFeed } from "./read-feed.server.ts";
import { EVENTS, receiveBtcpayCall } from "./receive-call.ts";
import { BTCPAY, pageOriginsOf } from "./settings.ts";
import { unfitTerms } from "./unfit.ts";

const STATUS = { accepted: 200, form: 400, signature: 403, address: 403, token: 403, account: 403 };
const NEEDED = ["btcpay.store.canviewinvoices", "btcpay.store.cancreateinvoice"];
/** Each includes both. */
const WIDER = ["btcpay.store.canmodifyinvoices", "btcpay.store.canmodifystoresettings", "unrestricted"];

/** Null without its settings. */
export function btcpayProvider({ btcpay: settings }: Config["billing"]): BillingProvider | null {
  if (settings === null) return null;
  const api = guardCalls(btcpayInvoiceApi(settings), faultsOf(NO_ANSWER));
  const records = factRecords(BTCPAY);
  return {
    name: BTCPAY,
    pageOrigins: pageOriginsOf(settings),
    ...btcpaySubscriptionApi(records),
    ...btcpayPurchases(api, records),
    readOffer: () => impossible("BTCPay Server", "list a catalog"),
    unfit: unfitTerms,
    methods: ["POST"],
    receive: (call) => receiveBtcpayCall(call, settings),
    answer: (outcome) => ({ status: STATUS[outcome], body: null }),
    readFeed: (until) => readBtcpayFeed(api, until),
    // Its list says all that can be asked.
    probe: async () => false,
    // Each invoice names its purchase.
    adopt: async () => false,
    findMissing: () => null,
    findFault: () => findFault(api, settings.storeId),
    setup: ({ webhook }) => [
      `enter at BTCPay Server the webhook ${webhook} with the secret in BTCPAY_WEBHOOK_SECRET`,
      "automatic redelivery on",
      `and the events ${EVENTS.join(", ")}, as far as your version knows them`,
    ],
  };
}

async function findFault(api: InvoiceApi, storeId: string): Promise<string | null> {
  let missing: string[] = [];
  const examined = async () => {
    await api.listOf("no-order");
    const given = await api.listPermissions();
    const mayDo = (name: string) => given.includes(name) || given.includes(`${name}:${storeId}`);
    missing = WIDER.some(mayDo) ? [] : NEEDED.filter((name) => !mayDo(name));
  };
  const reason = await reasonUnlessDone(examined());
  if (reason !== null) return reason;
  return missing.length === 0 ? null : `BTCPAY_API_KEY lacks the permission ${missing.join(" and ")}.`;
}
