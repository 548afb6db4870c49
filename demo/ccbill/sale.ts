import { DAY_SECONDS } from "../stand-in/clock.ts";
import type { CcbillAccount } from "./account.ts";
import { dateOf } from "./arizona-time.ts";
import { ASKS_BUYER, cardFields } from "./cards.ts";
import { responseDigest } from "./digests.ts";
import { accounted, currencyName } from "./money.ts";
import { type Order, termsOf } from "./order.ts";
import type { Subscription } from "./state.ts";

const DECLINE = { failureCode: "BE-900", failureReason: "transaction declined" };
/** A link's names for the buyer, and those of webhooks. */
const PERSON = {
  customer_fname: "firstName",
  customer_lname: "lastName",
  address1: "address1",
  city: "city",
  state: "state",
  country: "country",
  zipcode: "postalCode",
  email: "email",
  phone_number: "phoneNumber",
  username: "username",
  password: "password",
};

export interface Purchase {
  order: Order;
  /** The query of the link, which comes back as it is. */
  link: URLSearchParams;
  /** What the buyer has entered. */
  form: URLSearchParams;
  last4: string;
}

export function sell(account: CcbillAccount, purchase: Purchase): Subscription {
  const { order, last4 } = purchase;
  const id = account.newId();
  const now = account.now();
  const subscription: Subscription = {
    id,
    order,
    person: personOf(purchase),
    last4,
    signedUpAt: now,
    paidUntil: now + order.initialPeriod * DAY_SECONDS,
    timesRebilled: 0,
    failingRenewals: 0,
    retryAt: null,
    cancelledAt: null,
    expiredAt: null,
  };
  account.state.subscriptions[id] = subscription;
  account.enter({ kind: "NEW", subscriptionId: id, transactionId: id, amount: order.initialPrice });
  account.record("NewSaleSuccess", {
    subscriptionId: id,
    transactionId: id,
    ...saleFields(account, purchase, { id, isApproved: true }),
    ...(order.recurring !== null && { nextRenewalDate: dateOf(subscription.paidUntil) }),
  });
  return subscription;
}

export function decline(account: CcbillAccount, purchase: Purchase): void {
  const id = account.newId();
  const sale = saleFields(account, purchase, { id, isApproved: false });
  const { bin: _, last4: __, expDate: ___, ...fields } = sale;
  account.record("NewSaleFailure", { transactionId: id, ...fields, ...DECLINE });
}

/** Fills the variables of a link into a URL that the host has entered: %%name%%. */
export function filled(url: string, link: URLSearchParams): string {
  return url.replace(/%%(\w+)%%/g, (_, name: string) => encodeURIComponent(link.get(name) ?? ""));
}

/** Without the fields about affiliates and the checks of a card, which say nothing about a sale. */
function saleFields(
  account: CcbillAccount,
  purchase: Purchase,
  { id, isApproved }: { id: string; isApproved: boolean },
): Record<string, string> {
  const { order, link, last4 } = purchase;
  const { flexId, salt } = account.settings;
  const person = personOf(purchase);
  return {
    ...person,
    ipAddress: "127.0.0.1",
    formName: "003ff",
    flexId,
    priceDescription: termsOf(order),
    subscriptionTypeId: "0000000464",
    ...prices(order),
    initialPeriod: String(order.initialPeriod),
    recurringPeriod: String(order.recurring?.period ?? 0),
    rebills: String(order.recurring?.rebills ?? 0),
    ...cardFields(last4, person.email ?? ""),
    threeDSecure: last4 === ASKS_BUYER ? "SUCCESSFUL" : "NOT_APPLICABLE",
    dynamicPricingValidationDigest: responseDigest(id, { isApproved, salt }),
    ...Object.fromEntries([...link].map(([name, value]) => [`X-${name}`, value])),
  };
}

function prices({ initialPrice, recurring, currencyCode }: Order): Record<string, string> {
  const recurringPrice = recurring?.price ?? "0.00";
  const fields: Record<string, string> = {};
  for (const kind of ["billed", "subscription"]) {
    fields[`${kind}InitialPrice`] = initialPrice;
    fields[`${kind}RecurringPrice`] = recurringPrice;
    fields[`${kind}CurrencyCode`] = currencyCode;
    fields[`${kind}Currency`] = currencyName(currencyCode);
  }
  return {
    ...fields,
    accountingInitialPrice: accounted(initialPrice, currencyCode),
    accountingRecurringPrice: accounted(recurringPrice, currencyCode),
    accountingCurrencyCode: "840",
    accountingCurrency: "USD",
  };
}

/** What the buyer has entered wins over what the link has filled in. */
function personOf({ link, form }: Purchase): Record<string, string> {
  return Object.fromEntries(
    Object.entries(PERSON).map(([name, field]) => [field, form.get(name) ?? link.get(name) ?? ""]),
  );
}
