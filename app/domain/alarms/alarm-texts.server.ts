import { LIMITS } from "#app/domain/auth/rate-limits.server.ts";
import { sizeText } from "#app/sizes.ts";
import type { Alarm, AlarmKind } from "./alarm-kinds.ts";

interface AlarmTexts {
  title: (amount: number) => string;
  meaning: (amount: number) => string;
}

const ALARM_TEXTS: Record<AlarmKind, AlarmTexts> = {
  mails: {
    title: (amount) => (amount === 1 ? "One email has not been sent" : `${amount} emails have not been sent`),
    meaning: () => "Nobody can sign in until the mail server accepts emails again.",
  },
  signIns: {
    title: (amount) => `${amount} sign-in emails were requested within an hour`,
    meaning: () =>
      `After ${LIMITS.mailByEverybody.points}, only addresses with an account get one until the hour is over. Either many people are coming, or somebody is using up the emails.`,
  },
  payments: {
    title: (amount) =>
      amount === 1
        ? "One payment event has not been processed"
        : `${amount} payment events have not been processed`,
    meaning: () => "The site does not know yet what was paid, canceled or refunded.",
  },
  refusedEvents: {
    title: (amount) => `All ${amount} calls of the payment provider within a day were refused`,
    meaning: () => "The site learns late what was paid, canceled or refunded.",
  },
  missingPayments: {
    title: (amount) =>
      amount === 1
        ? "One payment has not been confirmed by the payment provider"
        : `${amount} payments have not been confirmed by the payment provider`,
    meaning: () =>
      "Renewals are due and no event has come, or the provider has not answered about a new subscription or does not know it.",
  },
  jobs: {
    title: (amount) => (amount === 1 ? "One job failed" : `${amount} jobs failed`),
    meaning: (amount) =>
      `The site will not try ${amount === 1 ? "it" : "them"} again, so something was left undone.`,
  },
  backup: {
    title: () => "No nightly backup was made",
    meaning: () => "The last one failed or is too old. A restore would lose everything saved since then.",
  },
  disk: {
    title: () => "The disk is nearly full",
    meaning: (amount) =>
      `${sizeText(amount)} is left. When the disk is full, nothing can be imported, backed up or saved.`,
  },
};

export function alarmText({ kind, amount }: Alarm): { title: string; meaning: string } {
  const { title, meaning } = ALARM_TEXTS[kind];
  return { title: title(amount), meaning: meaning(amount) };
}
