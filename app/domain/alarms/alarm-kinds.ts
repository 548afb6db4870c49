export const ALARM_KINDS = [
  "mails",
  "signIns",
  "payments",
  "refusedEvents",
  "missingPayments",
  "jobs",
  "backup",
  "disk",
] as const;
export type AlarmKind = (typeof ALARM_KINDS)[number];

/** Sections of /studio that say what to do: app/ui/studio/machine-help.tsx. */
export const ALARM_ANCHORS: Record<AlarmKind, string> = {
  mails: "#unsent-mails",
  signIns: "#many-sign-ins",
  payments: "#late-payments",
  refusedEvents: "#refused-events",
  missingPayments: "#missing-payments",
  jobs: "#failed-jobs",
  backup: "#late-backup",
  disk: "#low-disk",
};

export interface Alarm {
  kind: AlarmKind;
  /** Jobs, emails, requests or events, or the free bytes of a disk. */
  amount: number;
  since: Date;
}
