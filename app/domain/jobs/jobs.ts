import { z } from "zod";

/** With growing delays: about eleven minutes in all, and two and a half days. */
export const ATTEMPTS = { usual: 7, persistent: 20 };

interface Job<Payload extends z.ZodObject = z.ZodObject> {
  payload: Payload;
  cron?: string;
  /** Has its own runner, because a hanging payment provider would delay emails. */
  callsProvider?: true;
  /** Runs in the media worker, because a large or strange file would delay emails and encodings. */
  isLong?: true;
  /** An hourly job, or the next page, queues it again when it has failed. */
  isRepeated?: true;
  /** Nobody would request it again. */
  isPersistent?: true;
  isUrgent?: true;
  /** One at a time: others of this queue wait in the database, and not in a worker that has other work. */
  queue?: string;
}

const id = z.string().max(255, { abort: true });
const user = z.object({ userId: z.uuid() });
const subscription = z.object({ id, userId: z.uuid() });
const nothing = z.object({});

/** Their handlers are in scripts/worker/tasks.ts. */
export const jobs = {
  "send-mail": {
    payload: z.object({ mailId: z.uuid(), isFromReserve: z.boolean().optional() }),
    isUrgent: true,
  },
  "release-due-media": { payload: nothing, cron: "* * * * * ?max=1" },
  "free-abandoned-jobs": { payload: nothing, cron: "* * * * * ?max=1" },
  "rank-media": { payload: nothing, cron: "*/10 * * * * ?max=1" },
  // Somewhere a day begins at each quarter of an hour. A worker that was down at midnight counts at its start.
  "write-daily-totals": { payload: nothing, cron: "*/15 * * * * ?max=3&fill=15m" },
  "clean-up": { payload: nothing, cron: "*/10 * * * * ?max=1" },
  "check-alarms": { payload: nothing, cron: "*/15 * * * * ?max=1" },
  "bulk-change": { payload: z.object({ bulkChangeId: z.uuid() }) },
  // Cron starts it again each minute, however a run ended.
  "take-in-uploads": {
    payload: nothing,
    cron: "* * * * * ?max=1",
    isPersistent: true,
    isLong: true,
    queue: "take-in-uploads",
  },
  "back-up": { payload: nothing, cron: "30 2 * * * ?max=7&fill=1d" },
  "send-due-mails": { payload: nothing, cron: "5 * * * * ?max=3&fill=1d" },
  "delete-due-accounts": { payload: nothing, cron: "25 * * * * ?max=1" },
  "retry-billing": { payload: nothing, cron: "35 * * * * ?max=1" },
  "delete-media-files": { payload: z.object({ mediaId: z.uuid() }), isPersistent: true },
  "drop-retired-files": { payload: nothing, cron: "45 * * * * ?max=1" },
  "delete-retired-files": {
    payload: z.object({ mediaId: z.uuid(), storageKeys: z.array(z.string().max(200, { abort: true })) }),
    isPersistent: true,
  },
  "delete-creator-files": {
    payload: z.object({
      creatorId: z.uuid(),
      // A part of the storage key: a UUID, but in the demo.
      version: z
        .string()
        .max(64, { abort: true })
        .regex(/^[\w-]+$/)
        .nullable(),
    }),
    isPersistent: true,
  },
  "delete-avatars": { payload: user, isPersistent: true },
  "delete-uploads": { payload: z.object({ batchIds: z.array(z.uuid()) }), isPersistent: true },
  "billing-event": { payload: z.object({ eventId: id }), callsProvider: true, isRepeated: true },
  "refresh-billing": { payload: user, callsProvider: true, isRepeated: true },
  "reconcile-billing": { payload: nothing, cron: "15 3 * * * ?max=3&fill=1d", callsProvider: true },
  // It keeps the pause that a provider asks for, which an hourly job would miss by seconds.
  "read-feeds": { payload: nothing, cron: "*/5 * * * * ?max=1", callsProvider: true },
  "probe-subscriptions": { payload: nothing, cron: "50 * * * * ?max=1", callsProvider: true },
  "forget-customer": {
    payload: z.object({ provider: id, customerId: id }),
    isPersistent: true,
    callsProvider: true,
  },
  "delete-account": { payload: user, callsProvider: true, isRepeated: true },
  "send-cancellation-request": { payload: subscription, callsProvider: true, isRepeated: true },
  "end-withdrawn": { payload: subscription, callsProvider: true, isRepeated: true },
} satisfies Record<string, Job>;

export type JobName = keyof typeof jobs;
export type JobPayload<Name extends JobName> = z.infer<(typeof jobs)[Name]["payload"]>;

export function jobNamed(name: JobName): Job {
  return jobs[name];
}
