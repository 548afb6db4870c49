import { z } from "zod";

/** Every job by name, with the shape of what it is told. */
export const jobPayloads = {
  "send-mail": z.object({ mailId: z.uuid() }),
  "release-due-media": z.object({}),
  "rank-media": z.object({}),
  "clean-up": z.object({}),
  "retry-billing-events": z.object({}),
  "reconcile-billing": z.object({}),
  "notice-due": z.object({}),
  "refresh-billing": z.object({ userId: z.uuid() }),
  "forget-customer": z.object({ provider: z.string(), customerId: z.string() }),
  "pass-on-wish": z.object({ id: z.string(), userId: z.uuid() }),
  "end-withdrawn": z.object({ id: z.string(), userId: z.uuid() }),
  "billing-event": z.object({ eventId: z.string() }),
} as const;

export type JobName = keyof typeof jobPayloads;
export type JobPayload<Name extends JobName> = z.infer<(typeof jobPayloads)[Name]>;
