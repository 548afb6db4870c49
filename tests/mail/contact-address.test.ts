import { expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { deletionMail } from "#app/domain/account/deletion-mail.tsx";
import { newDeviceMail } from "#app/domain/auth/new-device-mail.tsx";
import { signInMail } from "#app/domain/auth/sign-in-mail.tsx";
import {
  begunMail,
  cancelledMail,
  endedMail,
  planChangedMail,
  unbegunMail,
  withdrawalMail,
} from "#app/domain/billing/mails/templates/lifecycle-mails.tsx";
import { cardFailedMail, receiptMail } from "#app/domain/billing/mails/templates/payment-mails.tsx";
import {
  reminderMail,
  renewalMail,
  trialEndingMail,
} from "#app/domain/billing/mails/templates/reminder-mails.tsx";
import { readSources } from "../support/imports.ts";

const to = "reader@example.com";
const day = "6 December 2026";
const link = "https://peony.example/x";
const facts = {
  siteName: "Peony",
  to,
  planName: "Membership",
  price: "$14.99 a month",
  cancelLink: link,
  accountLink: link,
  subscribeLink: link,
  withdrawal: { link, until: day },
};
const period = { number: null, sum: "$14.99", paidOn: day, period: `${day} to ${day}` };
const signIn = { siteName: "Peony", link, code: "ABCD1234", device: "Firefox on Linux" };

/** One mail of each type, and each variant of those that differ much. */
const mails = await Promise.all([
  signInMail(to, signIn),
  signInMail(to, { ...signIn, purpose: "delete your account" }),
  newDeviceMail(to, {
    siteName: "Peony",
    device: "Firefox on Linux",
    network: "192.0.2.0/24",
    signedInAt: new Date(),
    devicesLink: link,
  }),
  deletionMail(to, { siteName: "Peony", deletesOn: day, undoLink: link }),
  begunMail(facts, { terms: null, nextCharge: "$14.99", trial: null }),
  trialEndingMail(facts, { on: day, nextCharge: "$14.99" }),
  cancelledMail(facts, { on: day, endsOn: day, isTrial: false, isOpen: true }),
  endedMail(facts, { on: day }),
  unbegunMail(facts, { on: day, isCancelled: true, isMoneyOnItsWay: true }),
  withdrawalMail(facts, { at: day, terms: null }),
  planChangedMail(facts, { before: "$14.99", since: day, nextCharge: "$14.99" }),
  receiptMail(facts, { ...period, invoiceLink: null, isTooLate: true, begins: null }),
  renewalMail(facts, { on: day, nextCharge: "$14.99" }),
  reminderMail(facts, { begunOn: day, nextCharge: "$14.99" }),
  cardFailedMail(facts, { sum: "$14.99", payLink: null, openUntil: null, nextTryOn: null }),
]);

test("every kind of mail of the site is tested here", () => {
  const sources = readSources(["app/domain"]).filter(({ fileName }) => fileName.endsWith(".tsx"));
  const kinds = sources.flatMap(({ text }) =>
    [...text.matchAll(/\bkind: "([\w-]+)"/g)].map(([, kind]) => kind),
  );
  expect(kinds.length).toBeGreaterThan(0);
  expect([...new Set(mails.map(({ kind }) => kind))].sort()).toEqual([...new Set(kinds)].sort());
});

test.each(mails)("$kind ends with the contact address, once, in HTML and as text", ({ html, text }) => {
  expect(html.match(new RegExp(`href="mailto:${config.contactEmail}"`, "g"))).toHaveLength(1);
  expect(text.trim().endsWith(`Questions? Write to ${config.contactEmail}`)).toBe(true);
});
