import { expect, test } from "vitest";
import { readSources } from "../support/sources/imports.ts";

const THE_QUERY = "app/domain/billing/subscriptions/current-subscription.server.ts";
const THE_CONDITION = /import \{[^}]*\bisCurrent\b[^}]*\} from "[^"]*days-of-grace\.server\.ts"/;
const BY_TABLE = /import \{[^}]*(?<!type )\bsubscriptions\b[^}]*\} from "#db\/schema\/billing\.ts"/;
const BY_NAME = /\b(FROM|JOIN) subscriptions\b|\.query\.subscriptions\b/;
/** The other files that read the table, each with the question that the current subscription cannot answer. */
const READERS: Record<string, string> = {
  "subscriptions/own-subscription.server.ts":
    "/cancel and the account: the one that the link or the address names, by its id and its owner, and where its open invoice is paid",
  "cancellation/cancellation-requests.server.ts":
    "the same one: what its owner has pressed, and whether that was sent",
  "subscriptions/signed-links.server.ts":
    "/cancel and /withdraw: the owner of the one that the link was made for",
  "cancellation/withdraw.server.ts": "/withdraw: whether the 14 days of that one are over",
  "subscriptions/other-subscriptions.server.ts": "the account: what is charged besides the current one",
  "checkout/purchase-outcome.server.ts":
    "the return page: what became of this purchase, whichever subscription is current",
  "account/own-invoices.server.ts":
    "the account: which invoices still buy anything; one may be of another subscription",
  "offers/trials.server.ts": "the offer: whether any of theirs, however old, had a trial",
  "checkout/checkout-rows.server.ts":
    "the purchase: whether any of theirs keeps them from buying, with the user's row locked",
  "sync/write-snapshot.server.ts":
    "sync: which of those that the provider's answer does not fit are ours already",
  "cancellation/change-subscription.server.ts": "writes",
  "subscriptions/subscription-changes.server.ts":
    "writes: whether a written one differs from its last change",
  "subscriptions/subscription-totals.server.ts":
    "totals: the plan of an invoice, and all of an account that goes",
  "sync/write-subscription.server.ts": "writes",
  "subscriptions/customers.server.ts": "asks the provider about, or ends, all of theirs",
  "cancellation/end-everything.server.ts": "asks the provider about, or ends, all of theirs",
  "subscriptions/subscription-state.server.ts":
    "the doctor: how many are open while their payments are paused",
  "mails/reminder-mails.server.ts": "mails",
  "mails/templates/mail-facts.server.ts": "mails",
  "app/domain/account/export.server.ts": "the export of all that is theirs",
};
/** Matches isCurrent written into an object, shorthand included, but not destructuring or type declarations. */
const MADE = /\bisCurrent\s*:(?!\s*boolean)|[{,]\s*isCurrent\s*[,}](?![^{}]*\}?\s*(?:=[^=>]|:\s*[A-Z]))/;

const sources = readSources(["app"]).map(({ fileName, text }) => ({ file: fileName, text }));

test("every file that reads subscriptions besides the one query is listed, with the reason", () => {
  const readers = sources
    .filter(({ file, text }) => file !== THE_QUERY && (BY_TABLE.test(text) || BY_NAME.test(text)))
    .map(({ file }) => file.replace("app/domain/billing/", ""));
  expect(readers.toSorted()).toEqual(Object.keys(READERS).toSorted());
});

test("only the one condition decides whether a subscription is current", () => {
  const makers = sources.filter(({ text }) => MADE.test(text));
  expect(makers.map(({ file }) => file)).toContain(THE_QUERY);
  expect(makers.filter(({ text }) => !THE_CONDITION.test(text)).map(({ file }) => file)).toEqual([]);
});

test.each([
  "({ status, isCurrent: true })",
  "({ ...row, isCurrent })",
  "return { isCurrent, price };",
  "[{ isCurrent }]",
])("code that decides it is found: %s", (text) => {
  expect(MADE.test(text)).toBe(true);
});

test.each([
  "const { isCurrent, price } = subscription;",
  "function said({ status, isCurrent }: Facts) {}",
  "interface Facts { isCurrent: boolean }",
])("code that only uses it is not: %s", (text) => {
  expect(MADE.test(text)).toBe(false);
});

test("a query by the table's name in the client is found", () => {
  expect(BY_NAME.test("await db.query.subscriptions.findFirst()")).toBe(true);
});
