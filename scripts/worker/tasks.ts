import type { TaskList } from "graphile-worker";
import { config } from "#app/config.server.ts";
import { deleteDueAccounts, endAndDeleteAccount } from "#app/domain/account/delete-account.server.ts";
import { checkAlarms } from "#app/domain/alarms/check-alarms.server.ts";
import { deliverFromReserve } from "#app/domain/auth/mail-reserve.server.ts";
import { cleanUpAuth } from "#app/domain/auth/sign-in.server.ts";
import { BACKUP_WITHIN_MS, makeNightlyBackup } from "#app/domain/backup/nightly-backup.server.ts";
import { sendRequest } from "#app/domain/billing/cancellation/cancel.server.ts";
import { retryRequests } from "#app/domain/billing/cancellation/cancellation-requests.server.ts";
import { endWithdrawn, retryWithdrawals } from "#app/domain/billing/cancellation/withdraw.server.ts";
import { probeSubscriptions, readFeeds } from "#app/domain/billing/events/ask-providers.server.ts";
import { processEvent } from "#app/domain/billing/events/process-event.server.ts";
import { cleanUpEvents, retryStuckEvents } from "#app/domain/billing/events/retry-events.server.ts";
import { sendDueMails } from "#app/domain/billing/mails/reminder-mails.server.ts";
import { isStrange } from "#app/domain/billing/rules/sync-outcome.ts";
import { forgetCustomer } from "#app/domain/billing/subscriptions/customers.server.ts";
import { reconcileAll, refreshStaleCustomer } from "#app/domain/billing/sync/reconcile.server.ts";
import { runBulk } from "#app/domain/catalog/edit/bulk/bulk-changes.server.ts";
import {
  deleteFilesOf,
  deleteRetiredFiles,
  dropRetiredFiles,
} from "#app/domain/catalog/edit/files/delete-files.server.ts";
import { countExpiredMedia, releaseDueMedia } from "#app/domain/catalog/edit/releases/release.server.ts";
import { cleanUpDraftLinks } from "#app/domain/catalog/edit/states/draft-links.server.ts";
import { rankMedia, rankTags, recount } from "#app/domain/catalog/media/counts.server.ts";
import { deleteMovedFiles } from "#app/domain/catalog/media/move-files.server.ts";
import { type JobName, jobs } from "#app/domain/jobs/jobs.ts";
import { withinLimit } from "#app/domain/jobs/within-limit.ts";
import { cleanUpOutbox, deliverMail } from "#app/domain/mail/outbox.server.ts";
import { deleteAvatars } from "#app/domain/media/avatar.server.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { sweepTemporary } from "#app/domain/media/storage/temporary.server.ts";
import { deleteCreatorFiles } from "#app/domain/media/store-file.server.ts";
import { site } from "#app/domain/site/site.server.ts";
import { cleanUpUploads } from "#app/domain/uploads/clean-up-uploads.server.ts";
import { importUploads } from "#app/domain/uploads/import-uploads.server.ts";
import { deleteBatchFiles } from "#app/domain/uploads/staged-files.server.ts";
import { cleanUpSlots } from "#app/domain/viewing/video-slots.server.ts";
import { log } from "#app/log.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { freeAbandonedJobs } from "./free-abandoned-jobs.ts";
import { writeDailyTotals } from "./write-daily-totals.ts";

/** A folder on a lost network disk never answers, and each try would hold one of the runner's three slots. */
const BACKUP_GIVES_UP_MS = BACKUP_WITHIN_MS + 10 * 60_000;
/** One fault of the site would fill the log with a line for each member. */
const MAX_LOGGED_FAILURES = 10;

export const tasks = {
  "send-mail": async (payload) => {
    const { mailId, isFromReserve } = jobs["send-mail"].payload.parse(payload);
    if (!isFromReserve) await deliverMail(mailId);
    else if (!(await deliverFromReserve(mailId)))
      log.info({ mailId }, "a sign-in email exceeds the site's limit");
  },
  "release-due-media": async () => {
    const { failed } = await releaseDueMedia();
    for (const { id, error } of failed)
      log.warn({ media: id, err: error }, "a due item could not be published");
    await countExpiredMedia();
  },
  "rank-media": async () => {
    await rankMedia();
    await recount();
    await rankTags();
  },
  "free-abandoned-jobs": freeAbandonedJobs,
  "billing-event": async (payload) => {
    const { eventId } = jobs["billing-event"].payload.parse(payload);
    const outcome = await processEvent(eventId);
    if (outcome === null) return;
    const level = isStrange(outcome) ? "warn" : "info";
    log[level]({ eventId, outcome }, "processed a billing event");
  },
  "refresh-billing": async (payload) => {
    await refreshStaleCustomer(jobs["refresh-billing"].payload.parse(payload).userId);
  },
  "check-alarms": async () => {
    const { open, failed, ...rest } = await checkAlarms();
    for (const { kind, error } of failed) log.warn({ alarm: kind, err: error }, "an alarm check failed");
    if (open.length > 0) log.warn({ alarms: open, ...rest }, "something is wrong with the site");
    else if (rest.mail === "over") log.info(rest, "everything is fine again");
  },
  "bulk-change": async (payload) => {
    const { bulkChangeId } = jobs["bulk-change"].payload.parse(payload);
    const { errors } = await runBulk(bulkChangeId);
    for (const error of errors) log.error({ err: error, bulkChangeId }, "an item of a bulk change failed");
  },
  "take-in-uploads": async (_payload, { abortSignal }) => {
    const { failed } = await importUploads(abortSignal ?? new AbortController().signal);
    for (const { id, error } of failed)
      log.error({ err: error, batch: id }, "an upload could not be imported");
  },
  "back-up": async () => {
    const done = await withinLimit(
      makeNightlyBackup(),
      BACKUP_GIVES_UP_MS,
      "The folder of BACKUP_DIR does not answer",
    );
    if (done) log[done.missingFiles > 0 ? "warn" : "info"](done, "backed up");
  },
  "delete-due-accounts": deleteDueAccounts,
  "delete-account": async (payload) => {
    const { userId } = jobs["delete-account"].payload.parse(payload);
    const outcome = await endAndDeleteAccount(userId);
    // Only the host can end a subscription unknown to the provider.
    const level = outcome === "unknownToProvider" ? "warn" : "info";
    log[level]({ userId, outcome }, "tried to delete an account");
  },
  "delete-media-files": async (payload) => {
    await deleteFilesOf(jobs["delete-media-files"].payload.parse(payload).mediaId);
  },
  "drop-retired-files": dropRetiredFiles,
  "delete-retired-files": async (payload) => {
    await deleteRetiredFiles(jobs["delete-retired-files"].payload.parse(payload));
  },
  "delete-creator-files": async (payload) => {
    const { creatorId, version } = jobs["delete-creator-files"].payload.parse(payload);
    await deleteCreatorFiles(creatorId, version);
  },
  "delete-avatars": async (payload) => {
    await deleteAvatars(jobs["delete-avatars"].payload.parse(payload).userId);
  },
  "delete-uploads": async (payload) => {
    for (const batchId of jobs["delete-uploads"].payload.parse(payload).batchIds)
      await deleteBatchFiles(batchId);
  },
  "forget-customer": async (payload) => {
    await forgetCustomer(jobs["forget-customer"].payload.parse(payload));
  },
  "send-cancellation-request": async (payload) => {
    const own = jobs["send-cancellation-request"].payload.parse(payload);
    const sent = await sendRequest(own);
    if (sent === null) return;
    // Only the host can resolve a charge made meanwhile, or a request that cannot be sent.
    const level = sent.isCharged || sent.outcome === "unknownToProvider" ? "warn" : "info";
    log[level](
      { subscription: own.id, ...sent },
      "a member's request about a subscription was sent to the provider",
    );
  },
  "end-withdrawn": async (payload) => {
    const own = jobs["end-withdrawn"].payload.parse(payload);
    const outcome = await endWithdrawn(own);
    // Only the host can make the refund.
    log.warn({ subscription: own.id, outcome }, "a member withdrew from a subscription");
  },
  "retry-billing": async () => {
    await retryStuckEvents();
    await retryWithdrawals();
    await retryRequests();
  },
  "reconcile-billing": async () => {
    const reconciled = await reconcileAll({ isDryRun: false });
    if (reconciled === null) return;
    const { offer, people, failed, ...rest } = reconciled;
    const counts = { offer: offer.length, people: people.length, failed: failed.length, ...rest };
    log[failed.length > 0 || rest.left > 0 ? "warn" : "info"](counts, "compared billing with the provider");
    // The counts already say that the provider did not answer.
    const own = failed.filter(({ error }) => error !== null);
    for (const { userId, error } of own.slice(0, MAX_LOGGED_FAILURES)) {
      log.warn({ err: error, userId }, "a member's bills could not be compared with the provider");
    }
    for (const { id } of people
      .flatMap(({ differences }) => differences)
      .filter(({ what }) => what === "duplicate")) {
      log.warn({ customer: id }, "a customer is charged for more than one subscription");
    }
  },
  "read-feeds": async () => {
    for (const { failed, ...read } of await readFeeds())
      log[failed === null ? "info" : "warn"]({ ...read, failed }, "read a provider's list of what happened");
  },
  "probe-subscriptions": async () => {
    for (const { failed, ...probed } of await probeSubscriptions())
      log[failed === null ? "info" : "warn"]({ ...probed, failed }, "asked a provider about subscriptions");
  },
  "send-due-mails": async () => {
    await sendDueMails();
  },
  "write-daily-totals": async () => {
    await writeDailyTotals({ now: await readDatabaseTime(), timeZone: site.timeZone });
  },
  "clean-up": async () => {
    await cleanUpAuth();
    await cleanUpOutbox();
    await cleanUpSlots();
    await cleanUpEvents();
    await cleanUpDraftLinks();
    await cleanUpUploads();
    await sweepTemporary(config.media.workDir);
    await mediaStorage.deleteUnfinished();
    await deleteMovedFiles();
  },
} satisfies Record<JobName, TaskList[string]>;
