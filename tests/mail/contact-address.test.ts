import { expect, onTestFinished, test } from "vitest";
import { config } from "#app/config.server.ts";
import { deletionMail } from "#app/domain/account/deletion-mail.tsx";
import {
  alarmOverMail,
  alarmReminderMail,
  alarmTestMail,
  newAlarmMail,
} from "#app/domain/alarms/alarm-mails.tsx";
import { newDeviceMail } from "#app/domain/auth/new-device-mail.tsx";
import { signInMail } from "#app/domain/auth/sign-in-mail.tsx";
import {
  collectionPausedMail,
  collectionResumedMail,
} from "#app/domain/billing/mails/templates/collection-mails.tsx";
import {
  begunMail,
  canceledMail,
  endedMail,
  keptMail,
  paidTwiceMail,
  planChangedMail,
  unbegunMail,
  withdrawalMail,
} from "#app/domain/billing/mails/templates/lifecycle-mails.tsx";
import { endingMail, movedMail } from "#app/domain/billing/mails/templates/moving-mails.tsx";
import {
  paymentFailedMail,
  receiptMail,
  refundMail,
} from "#app/domain/billing/mails/templates/payment-mails.tsx";
import { partlyPaidMail } from "#app/domain/billing/mails/templates/purchase-mails.tsx";
import {
  periodEndingMail,
  reminderMail,
  renewalMail,
  trialEndingMail,
} from "#app/domain/billing/mails/templates/reminder-mails.tsx";
import { SUBSCRIPTION } from "../support/billing/subscription-row.ts";
import { readSources } from "../support/sources/imports.ts";

const to = "reader@example.com";
const day = "6 December 2026";
const link = "https://peony.example/x";
const date = new Date();
const price = {
  id: "monthly",
  productId: "product",
  active: true,
  description: null,
  currency: "usd",
  unitAmount: 1499,
  interval: "month" as const,
  intervalCount: 1,
  firstPeriod: null,
  metadata: {},
};
const facts = {
  subscription: SUBSCRIPTION,
  price,
  planName: "Membership",
  to,
  isClosing: false,
  terms: null,
};
const prepaid = { ...facts, subscription: { ...SUBSCRIPTION, isPrepaid: true } };
const invoice = {
  id: "in_1",
  userId: SUBSCRIPTION.userId,
  subscriptionId: SUBSCRIPTION.id,
  number: null,
  status: "paid" as const,
  currency: "usd",
  total: 1499,
  amountPaid: 1499,
  amountRemaining: 0,
  amountRefunded: 0,
  periodStart: date,
  periodEnd: date,
  createdAt: date,
  paidAt: null,
  isLate: false,
  attempts: 1,
  nextAttemptAt: null,
  hostedUrl: null,
  pdfUrl: null,
  fetchedAt: date,
  countedPaid: 0,
  countedRefunded: 0,
  amountDisputed: 0,
  countedDisputed: 0,
};
const alarm = { kind: "disk" as const, amount: 4e9, since: date };
const alarmFacts = { siteName: "Peony", zone: "UTC", alarms: [alarm] };
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
  newAlarmMail(to, { ...alarmFacts, others: [] }),
  alarmReminderMail(to, alarmFacts),
  alarmOverMail(to, { ...alarmFacts, alarms: [{ ...alarm, endedAt: date }] }),
  alarmTestMail(to, { siteName: "Peony" }),
  begunMail(facts),
  trialEndingMail(facts),
  canceledMail(facts, date),
  keptMail(facts, facts.subscription),
  endedMail(facts, facts.subscription),
  unbegunMail(facts, true),
  paidTwiceMail(facts),
  withdrawalMail(facts, date),
  planChangedMail(facts, { before: "$14.99", since: day }),
  receiptMail(facts, invoice, { begins: false, isTooLate: true }),
  receiptMail(prepaid, { ...invoice, amountPaid: 1500, isLate: true }, { begins: true, isTooLate: false }),
  renewalMail(facts),
  reminderMail(facts),
  periodEndingMail(prepaid, date, prepaid.subscription.provider),
  periodEndingMail(prepaid, date, "other"),
  refundMail(prepaid, { ...invoice, amountRefunded: 1499 }),
  partlyPaidMail(to, { planName: "Membership", sentence: "A part of $14.99 arrived." }),
  paymentFailedMail(facts, invoice),
  collectionPausedMail(facts),
  collectionResumedMail(facts),
  movedMail(facts, date),
  endingMail(facts, date),
]);

test("every kind of email of the site is tested here", () => {
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

test("without a contact address, an email offers none", async () => {
  const before = config.contactEmail;
  config.contactEmail = "";
  const { html, text } = await deletionMail(to, {
    siteName: "Peony",
    deletesOn: day,
    undoLink: link,
  }).finally(() => {
    config.contactEmail = before;
  });
  expect(html + text).not.toMatch(/mailto:|Questions/);
});

test.each([
  ["contact@peony.example", "Write to contact@peony.example to get it back."],
  ["", "Write to the operator of this site to get it back."],
])(
  "an email about money that came too late says where to write (%j), even without an address",
  async (address, said) => {
    const before = config.contactEmail;
    config.contactEmail = address;
    onTestFinished(() => {
      config.contactEmail = before;
    });
    for (const mail of [
      unbegunMail(facts, true),
      receiptMail(facts, invoice, { begins: false, isTooLate: true }),
      receiptMail(prepaid, { ...invoice, amountPaid: 1500 }, { begins: false, isTooLate: false }),
      partlyPaidMail(to, { planName: "Membership", sentence: "A part of $14.99 arrived." }),
    ]) {
      const { html, text } = await mail;
      expect(text.replace(/\s+/g, " ")).toContain(said);
      expect(html.replaceAll("<!-- -->", "").replace(/\s+/g, " ")).toContain(said);
      expect(html + text).not.toContain("address below");
    }
  },
);
