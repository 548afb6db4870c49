import { type SharedControl, sharedControl } from "../stand-in/control.ts";
import type { Deliveries } from "../stand-in/deliveries.ts";
import type { Failures } from "../stand-in/failures.ts";
import type { PageRoute } from "../stand-in/page.ts";
import { Problem } from "../stand-in/problem.ts";
import type { CcbillAccount } from "./account.ts";
import { giveBack, newestPayment, type Return } from "./returned-money.ts";
import type { State, Subscription, WebhookEvent } from "./state.ts";
import { advanceTo, cancel, moveBillingDate, reactivate, renew, updateCard } from "./subscription-life.ts";

const MOVED_DAYS = 7;

type Action = { title: string; run: (account: CcbillAccount, subscription: Subscription) => void };

/** What CCBill, its support or a bank can do with a subscription. */
export const ACTIONS = {
  renew: { title: "Renew", run: renew },
  fail: {
    title: "Fail the next renewal",
    run: (_, subscription) => {
      subscription.failingRenewals++;
    },
  },
  cancel: {
    title: "Cancel",
    run: (account, subscription) => {
      cancel(account, subscription, { source: "customerSupport", reason: "Satisfied Customer" });
    },
  },
  reactivate: { title: "Reactivate", run: reactivate },
  refund: { title: "Refund", run: giveBackNewest("Refund") },
  void: { title: "Void", run: giveBackNewest("Void") },
  chargeback: { title: "Charge back", run: giveBackNewest("Chargeback") },
  move: {
    title: "Bill a week later",
    run: (account, subscription) => moveBillingDate(account, subscription, MOVED_DAYS),
  },
  card: {
    title: "Update the card",
    run: (account, subscription) => updateCard(account, subscription, "4242"),
  },
} satisfies Record<string, Action>;

export type ActionName = keyof typeof ACTIONS;

export interface CcbillControl extends SharedControl<WebhookEvent> {
  act(name: ActionName, subscriptionId: string): void;
  /** From now on, webhooks are written like this. */
  write(format: State["format"]): void;
}

export interface Visit {
  account: CcbillAccount;
  control: CcbillControl;
  id: string;
  link: URLSearchParams;
  /** The form's fields; empty for GET. */
  form: URLSearchParams;
}

export type CcbillPageRoute = PageRoute<Visit>;

export function makeControl(
  account: CcbillAccount,
  deliveries: Deliveries<WebhookEvent>,
  failures: Failures,
): CcbillControl {
  const findEvent = (id: string) => {
    const found = account.state.events[id];
    if (!found) throw new Problem(404, `There is no event ${id}.`);
    return found;
  };
  return {
    ...sharedControl({
      clock: account,
      advanceTo: (at) => advanceTo(account, at),
      deliveries,
      failures,
      findEvent,
    }),
    act: (name, subscriptionId) => {
      ACTIONS[name].run(account, account.subscription(subscriptionId));
      account.changed();
    },
    write: (format) => {
      account.state.format = format;
      account.changed();
    },
  };
}

function giveBackNewest(how: Return): Action["run"] {
  return (account, subscription) =>
    giveBack(account, subscription, { how, payment: newestPayment(account, subscription) });
}
