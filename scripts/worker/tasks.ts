import type { TaskList } from "graphile-worker";
import { cleanUpSignIn } from "#app/domain/auth/sign-in.server.ts";
import { forgetCustomer } from "#app/domain/billing/forget-customer.server.ts";
import { noticeDue } from "#app/domain/billing/notices.server.ts";
import { cleanUpEvents, retryOpenEvents } from "#app/domain/billing/old-events.server.ts";
import { passOnWish, retryWishes } from "#app/domain/billing/pass-on-wish.server.ts";
import { processEvent } from "#app/domain/billing/process-event.server.ts";
import { refreshStaleCustomer } from "#app/domain/billing/reconcile.server.ts";
import { reconcileAll } from "#app/domain/billing/reconcile-all.server.ts";
import { endWithdrawn, retryWithdrawals } from "#app/domain/billing/withdraw.server.ts";
import { releaseDueMedia } from "#app/domain/catalog/publishing.server.ts";
import { rankMedia } from "#app/domain/catalog/ranking.server.ts";
import { type JobName, jobPayloads } from "#app/domain/jobs/jobs.ts";
import { cleanUpOutbox, deliverMail } from "#app/domain/mail/outbox.server.ts";
import { cleanUpStreamSlots } from "#app/domain/viewing/stream-slots.server.ts";
import { log } from "#app/web/log.server.ts";

const RECONCILE_WITHIN_MS = 3 * 3_600_000;
/** Outcomes that the host should look at. */
const STRANGE = ["mismatch", "foreign", "unknown", "double"];

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
  "forget-customer": async (payload) => {
    await forgetCustomer(jobPayloads["forget-customer"].parse(payload));
  },
  "pass-on-wish": async (payload) => {
    const held = jobPayloads["pass-on-wish"].parse(payload);
    const passed = await passOnWish(held);
    if (passed === null) return;
    // What was charged in between, and what cannot be passed on, only the host can mend.
    const level = passed.isCharged || passed.outcome === "elsewhere" ? "warn" : "info";
    log[level]({ subscription: held.id, ...passed }, "what the owner of a subscription wished is passed on");
  },
  "end-withdrawn": async (payload) => {
    const held = jobPayloads["end-withdrawn"].parse(payload);
    const outcome = await endWithdrawn(held);
    // What is to be paid back only the host can.
    log.warn({ subscription: held.id, outcome }, "a subscription was withdrawn from");
  },
  "retry-billing-events": async () => {
    await retryOpenEvents();
    await retryWithdrawals();
    await retryWishes();
  },
  "reconcile-billing": async () => {
    const reconciled = await reconcileAll({ isDryRun: false, withinMs: RECONCILE_WITHIN_MS });
    if (reconciled === null) return;
    const { offer, people, failed, ...rest } = reconciled;
    const counts = { offer: offer.length, people: people.length, failed: failed.length, ...rest };
    log.info(counts, "billing compared with the provider");
    for (const { id } of people.flatMap(({ changes }) => changes).filter(({ what }) => what === "double")) {
      log.warn({ customer: id }, "somebody is charged for more than one subscription");
    }
  },
  "notice-due": async () => {
    await noticeDue();
  },
  "clean-up": async () => {
    await cleanUpSignIn();
    await cleanUpOutbox();
    await cleanUpStreamSlots();
    await cleanUpEvents();
  },
} satisfies Record<JobName, TaskList[string]>;
