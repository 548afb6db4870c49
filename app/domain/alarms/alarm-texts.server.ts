import { sizeText } from "#app/sizes.ts";
import type { Alarm, AlarmKind } from "./alarm-kinds.ts";

interface AlarmTexts {
  title: (amount: number) => string;
  /** The consequence. */
  meaning: (amount: number) => string;
}

/** For the mails about alarms and for the studio's page. */
const ALARM_TEXTS: Record<AlarmKind, AlarmTexts> = {
  mails: {
    title: (amount) => (amount === 1 ? "One mail is not sent" : `${amount} mails are not sent`),
    meaning: () => "As long as the mail server takes no mails, nobody can sign in.",
  },
  payments: {
    title: (amount) =>
      amount === 1 ? "One payment event has no effect" : `${amount} payment events have no effect`,
    meaning: () => "The site does not know yet what was paid, cancelled or refunded.",
  },
  jobs: {
    title: (amount) => (amount === 1 ? "One job failed" : `${amount} jobs failed`),
    meaning: (amount) =>
      `Something is left undone, because ${amount === 1 ? "it is" : "they are"} not tried again.`,
  },
  backup: {
    title: () => "No nightly backup was made",
    meaning: () =>
      "The last one failed or is too old. A restore would lose everything that was written since.",
  },
  disk: {
    title: () => "The disk is nearly full",
    meaning: (amount) =>
      `${sizeText(amount)} is left. A full disk stops imports, backups and everything that is saved.`,
  },
};

export function alarmText({ kind, amount }: Alarm): { title: string; meaning: string } {
  const { title, meaning } = ALARM_TEXTS[kind];
  return { title: title(amount), meaning: meaning(amount) };
}
