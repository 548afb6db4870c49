import { Deliveries } from "../stand-in/deliveries.ts";
import { Failures } from "../stand-in/failures.ts";
import { type OpenOptions, openStandIn } from "../stand-in/open.ts";
import { BtcpayAccount, type BtcpaySettings } from "./account.ts";
import { answerApi, refusedCall } from "./api.ts";
import { checkoutPages } from "./checkout-page.ts";
import { type BtcpayControl, makeControl } from "./control.ts";
import { controlPages } from "./control-page.ts";
import { advanceTo } from "./invoice-life.ts";
import { seedSale } from "./seed.ts";
import { type Delivery, emptyState } from "./state.ts";
import { webhookRequest } from "./webhook-request.ts";

export interface BtcpayOptions extends OpenOptions {
  settings: BtcpaySettings;
  webhookUrl?: string;
  /** Adds the demo's subscriber to an empty state. */
  seed?: boolean;
}

export interface BtcpayStandIn {
  origin: string;
  control: BtcpayControl;
  stop(): Promise<void>;
}

/** Implements the invoices of a BTCPay Server on this machine. No coins move. */
export async function startBtcpayStandIn(options: BtcpayOptions): Promise<BtcpayStandIn> {
  const { settings, webhookUrl: url, random } = options;
  const { control, origin, stop } = await openStandIn(options, {
    provider: "BTCPay Server",
    secretKey: settings.apiKey,
    emptyState,
    build: (opened) => {
      const failures = new Failures();
      const onDelivery = (delivery: Delivery) => deliveries.send(delivery);
      const account: BtcpayAccount = new BtcpayAccount({ ...opened, settings, onDelivery });
      const deliveries = new Deliveries<Delivery>({
        requestFor: url
          ? (delivery, { isForged }) => {
              const { metadata } = account.invoice(delivery.invoiceId);
              return webhookRequest(delivery, { url, settings, metadata, isForged });
            }
          : null,
        random,
        // A repetition is a delivery of its own, which the clock brings.
        maxAttempts: 1,
        onGivenUp: (delivery) => account.failed(delivery),
        onDelivered: (delivery) => {
          delivery.state = "done";
          account.changed();
        },
      });
      for (const delivery of Object.values(opened.state.deliveries)) {
        if (delivery.state === "waiting") deliveries.send(delivery);
      }
      if (options.seed && Object.keys(opened.state.invoices).length === 0) seedSale(account);
      const control = makeControl(account, deliveries, failures);
      return {
        account,
        deliveries,
        control,
        advanceTo: (at) => advanceTo(account, at),
        pages: [...controlPages, ...checkoutPages],
        visit: (_, id, form) => ({ account, control, id, form }),
        answerApi: (call) => failures.around(call, () => answerApi(account, call), refusedCall),
      };
    },
  });
  return { origin, control, stop };
}
