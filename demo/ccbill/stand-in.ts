import type { Answer, Call } from "../stand-in/call.ts";
import { Deliveries } from "../stand-in/deliveries.ts";
import { Failures } from "../stand-in/failures.ts";
import { type OpenOptions, openStandIn } from "../stand-in/open.ts";
import { CcbillAccount } from "./account.ts";
import { type CcbillControl, makeControl } from "./control.ts";
import { controlPages } from "./control-page.ts";
import { answerDataLink, paramsOf, refusedDataLink, textAnswer } from "./data-link.ts";
import { answerExtract } from "./extract.ts";
import { paymentPages } from "./payment-page.ts";
import { seedSale } from "./seed.ts";
import type { CcbillSettings } from "./settings.ts";
import { emptyState, type WebhookEvent } from "./state.ts";
import { advanceTo } from "./subscription-life.ts";
import { webhookRequest } from "./webhook-request.ts";

export interface CcbillOptions extends OpenOptions {
  settings: CcbillSettings;
  webhookUrl?: string;
  /** Adds the demo's subscriber to an empty state. */
  seed?: boolean;
}

export interface CcbillStandIn {
  origin: string;
  control: CcbillControl;
  stop(): Promise<void>;
}

/** Implements CCBill's payment form, webhooks and DataLink on this machine. No money moves. */
export async function startCcbillStandIn(options: CcbillOptions): Promise<CcbillStandIn> {
  const { settings, webhookUrl: url, random } = options;
  const { control, origin, stop } = await openStandIn(options, {
    provider: "CCBill",
    secretKey: settings.salt,
    emptyState,
    build: (opened) => {
      const { state } = opened;
      const failures = new Failures();
      const onEvent = (event: WebhookEvent) => deliveries.send(event);
      const account: CcbillAccount = new CcbillAccount({ ...opened, settings, onEvent });
      const deliveries = new Deliveries<WebhookEvent>({
        requestFor: url ? (event, how) => webhookRequest(event, { url, format: state.format, ...how }) : null,
        random,
        onDelivered: (event) => {
          event.isDone = true;
          account.changed();
        },
      });
      for (const event of Object.values(state.events)) if (!event.isDone) deliveries.send(event);
      if (options.seed && Object.keys(opened.state.subscriptions).length === 0) seedSale(account);
      const control = makeControl(account, deliveries, failures);
      return {
        account,
        deliveries,
        control,
        advanceTo: (at) => advanceTo(account, at),
        pages: [...controlPages, ...paymentPages],
        visit: (call, id, form) => {
          return { account, control, id, form, link: call.query };
        },
        answerApi: (call) =>
          failures.around(
            call,
            () => answerApi(account, call),
            (refusal) => refusedDataLink(call, refusal),
          ),
      };
    },
  });
  return { origin, control, stop };
}

function answerApi(account: CcbillAccount, call: Call): Answer {
  if (call.path === "/utils/subscriptionManagement.cgi") return answerDataLink(account, call);
  if (call.path === "/data/main.cgi") return textAnswer(answerExtract(account, paramsOf(call)));
  return textAnswer("Not found", 404);
}
