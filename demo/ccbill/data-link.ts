import type { Answer, Call } from "../stand-in/call.ts";
import type { CcbillAccount } from "./account.ts";
import { dateOf, digitsOf } from "./arizona-time.ts";
import { centsOf } from "./money.ts";
import { countReturns, giveBack, paymentsOf } from "./returned-money.ts";
import type { Subscription } from "./state.ts";
import { cancel, statusOf } from "./subscription-life.ts";

const LOCK_SECONDS = 3_600;
const MAX_FAILED_LOGINS = 3;
/** The codes of the API guide that the stand-in comes to by itself; any other can be ordered. */
const CODES = {
  done: 1,
  notDone: 0,
  badLogin: -1,
  invalidId: -2,
  unknownId: -3,
  otherAccount: -4,
  badArguments: -5,
  badAction: -6,
  locked: -12,
};
const MAX_ID_DIGITS = 20;

type Values = Record<string, string | number>;
type Action = (
  account: CcbillAccount,
  subscription: Subscription,
  params: URLSearchParams,
) => Values | number;

const ACTIONS: Record<string, Action> = {
  viewSubscriptionStatus: viewStatus,
  cancelSubscription: (account, subscription) => {
    if (subscription.order.recurring === null) return CODES.invalidId;
    const isDone = cancel(account, subscription, { source: "webAdmin", reason: "Cancelled by merchant" });
    return isDone ? CODES.done : CODES.notDone;
  },
  voidTransaction: (...given) => returnFirst("Void", ...given),
  refundTransaction: (...given) => returnFirst("Refund", ...given),
  // It may void everything, and here it does.
  voidOrRefundTransaction: (...given) => returnFirst("Void", ...given),
};

/** Answers subscriptionManagement.cgi. */
export function answerDataLink(account: CcbillAccount, call: Call): Answer {
  const params = paramsOf(call);
  const refused = refuseLogin(account, params);
  if (refused !== null) return textAnswer(String(refused));
  const result = perform(account, params);
  return written(typeof result === "number" ? { results: result } : result, params.get("returnXML") === "1");
}

export function paramsOf({ method, query, body }: Call): URLSearchParams {
  return method === "POST" ? new URLSearchParams(body) : query;
}

/** The answer that was ordered for a call. */
export function refusedDataLink(call: Call, { status, code }: { status: number; code?: number }): Answer {
  if (code === undefined) return textAnswer("", status);
  return written({ results: code }, paramsOf(call).get("returnXML") === "1");
}

export function textAnswer(body: string, status = 200): Answer {
  return { status, body, headers: { "content-type": "text/plain" } };
}

/** Three failures within an hour lock even the right password out until the hour is over. */
export function refuseLogin(account: CcbillAccount, params: URLSearchParams): number | null {
  const { clientAccnum, dataLinkUser, dataLinkPassword } = account.settings;
  const { state } = account;
  state.failedLogins = state.failedLogins.filter((at) => at > account.now() - LOCK_SECONDS);
  if (state.failedLogins.length >= MAX_FAILED_LOGINS) return CODES.locked;
  const wanted = { clientAccnum, username: dataLinkUser, password: dataLinkPassword };
  if (Object.entries(wanted).every(([name, value]) => params.get(name) === value)) return null;
  state.failedLogins.push(account.now());
  account.changed();
  return CODES.badLogin;
}

export function isOwnSubaccount(account: CcbillAccount, params: URLSearchParams): boolean {
  return ["clientSubacc", "usingSubacc"].every((name) =>
    ["", account.settings.clientSubacc].includes(params.get(name) ?? ""),
  );
}

function perform(account: CcbillAccount, params: URLSearchParams): Values | number {
  const name = params.get("action") ?? "";
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!action) return CODES.badAction;
  const id = params.get("subscriptionId") ?? "";
  if (id === "") return CODES.badArguments;
  if (!/^\d+$/.test(id) || id.length > MAX_ID_DIGITS) return CODES.invalidId;
  if (!isOwnSubaccount(account, params)) return CODES.otherAccount;
  const subscription = Object.hasOwn(account.state.subscriptions, id) && account.state.subscriptions[id];
  return subscription ? action(account, subscription, params) : CODES.unknownId;
}

/** In alphabetical order, and without what does not apply, as captured from a live account. */
function viewStatus(account: CcbillAccount, subscription: Subscription): Values {
  const { id, order, cancelledAt, expiredAt, paidUntil, retryAt, signedUpAt, timesRebilled } = subscription;
  const status = statusOf(subscription);
  return {
    ...(cancelledAt !== null && { cancelDate: digitsOf(cancelledAt) }),
    chargebacksIssued: countReturns(account, id, "Chargeback"),
    ...(status !== 2 && { expirationDate: digitsOf(expiredAt ?? paidUntil) }),
    // After a failed renewal it is the day of the next attempt, and not of what was paid.
    ...(status === 2 && { nextBillingDate: dateOf(retryAt ?? paidUntil).replaceAll("-", "") }),
    recurringSubscription: order.recurring === null ? 0 : 1,
    refundsIssued: countReturns(account, id, "Refund"),
    signupDate: digitsOf(signedUpAt),
    subscriptionStatus: status,
    timesRebilled,
    voidsIssued: countReturns(account, id, "Void"),
  };
}

/** The subscription's id names its first payment. */
function returnFirst(
  how: "Void" | "Refund",
  account: CcbillAccount,
  subscription: Subscription,
  params: URLSearchParams,
): number {
  const payment = paymentsOf(account, subscription.id).find(({ kind }) => kind === "NEW");
  const amount = params.get("amount") ?? payment?.amount ?? "0.00";
  if (centsOf(amount) === null) return CODES.badArguments;
  if (!payment || Number(amount) > Number(payment.amount)) return CODES.notDone;
  giveBack(account, subscription, { how, payment, amount: how === "Void" ? payment.amount : amount });
  return CODES.done;
}

function written(values: Values, isXml: boolean): Answer {
  const entries = Object.entries(values);
  if (!isXml) {
    const row = (cells: (string | number)[]) => cells.map((cell) => `"${cell}"`).join(",");
    return textAnswer(`${row(entries.map(([name]) => name))}\n${row(entries.map(([, value]) => value))}\n`);
  }
  const isCode = "results" in values;
  const inner = entries.map(([name, value]) => `  <${name}>${value}</${name}>\n`).join("");
  const results = isCode ? `<results>${values.results}</results>` : `<results>\n${inner}</results>`;
  return {
    status: 200,
    body: `<?xml version='1.0' standalone='yes'?>\n${results}\n`,
    headers: { "content-type": "text/xml" },
  };
}
