import type { TaskList } from "graphile-worker";
import { cleanUpSignIn } from "#app/domain/auth/sign-in.server.ts";
import { processEvent } from "#app/domain/billing/process-event.server.ts";
import { refreshStaleCustomer } from "#app/domain/billing/reconcile.server.ts";
import { releaseDueMedia } from "#app/domain/catalog/publishing.server.ts";
import { rankMedia } from "#app/domain/catalog/ranking.server.ts";
import { type JobName, jobPayloads } from "#app/domain/jobs/jobs.ts";
import { cleanUpOutbox, deliverMail } from "#app/domain/mail/outbox.server.ts";
import { cleanUpStreamSlots } from "#app/domain/viewing/stream-slots.server.ts";
import { log } from "#app/web/log.server.ts";

/** Outcomes that the host should look at. */
const STRANGE = ["mismatch", "foreign", "unknown"];

/** What each job does. */
export const tasks = {
  "send-mail": (payload) => deliverMail(jobPayloads["send-mail"].parse(payload).mailId),
  "release-due-media": async () => {
    await releaseDueMedia();
  },
  "rank-media": rankMedia,
  "billing-event": async (payload) => {
    const { eventId } = jobPayloads["billing-event"].parse(payload);
    const outcome = await processEvent(eventId);
    if (outcome === null) return;
    const level = STRANGE.includes(outcome) ? "warn" : "info";
    log[level]({ eventId, outcome }, "billing event dealt with");
  },
  "refresh-billing": async (payload) => {
    await refreshStaleCustomer(jobPayloads["refresh-billing"].parse(payload).userId);
  },
  "clean-up": async () => {
    await cleanUpSignIn();
    await cleanUpOutbox();
    await cleanUpStreamSlots();
  },
} satisfies Record<JobName, TaskList[string]>;
