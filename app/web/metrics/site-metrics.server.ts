import { Counter, Gauge, Registry } from "prom-client";
import { config } from "#app/config.server.ts";
import { findNewestBackup } from "#app/domain/backup/backup-files.server.ts";
import { readEventLag } from "#app/domain/billing/events/retry-events.server.ts";
import { readEncodingTotals } from "#app/domain/catalog/encoding/encoding-totals.server.ts";
import { listOutcomes } from "#app/domain/jobs/outcomes.server.ts";
import { oldestOf, readQueue } from "#app/domain/jobs/queue.server.ts";
import { readUnsentMails } from "#app/domain/mail/outbox.server.ts";
import { countSlots } from "#app/domain/viewing/video-slots.server.ts";
import { log } from "#app/log.server.ts";

export async function siteMetrics(): Promise<string> {
  const registry = new Registry();
  await addBackup(registry);
  const isUp = gauge(registry, "peony_database_up", "1 when the database answered this scrape.");
  try {
    // One after the other, so that a scrape takes only one connection from the pages.
    await addJobs(registry);
    await addOutcomes(registry);
    await addEvents(registry);
    await addEmails(registry);
    await addEncoding(registry);
    gauge(registry, "peony_video_slots", "Videos that are being played now.").set(await countSlots());
    isUp.set(1);
  } catch (error) {
    log.warn({ err: error }, "the metrics lack what the database knows");
    isUp.set(0);
  }
  return registry.metrics();
}

async function addBackup(registry: Registry): Promise<void> {
  const { dir } = config.backup;
  if (dir === null) return;
  const newest = await findNewestBackup(dir).catch(() => null);
  const help = "The age of the newest nightly backup; infinite without one.";
  gauge(registry, "peony_backup_age_seconds", help).set(newest?.ageSeconds ?? Number.POSITIVE_INFINITY);
}

/** The label is not "job", which Prometheus itself sets. */
async function addJobs(registry: Registry): Promise<void> {
  const queue = await readQueue();
  const jobs = new Gauge({
    name: "peony_jobs",
    help: "Jobs in the queue. The failed ones are not tried again.",
    labelNames: ["task", "state"],
    registers: [registry],
  });
  for (const { job, oldestSeconds: _, ...states } of queue) {
    for (const [state, count] of Object.entries(states)) jobs.set({ task: job, state }, count);
  }
  const help = "How long the oldest waiting job has been due.";
  gauge(registry, "peony_jobs_oldest_waiting_seconds", help).set(oldestOf(queue) ?? 0);
}

async function addEncoding(registry: Registry): Promise<void> {
  const { speed, ...states } = await readEncodingTotals();
  const steps = new Gauge({
    name: "peony_encoding_steps",
    help: "Steps that make the files of videos. The failed ones wait for a person.",
    labelNames: ["state"],
    registers: [registry],
  });
  for (const [state, count] of Object.entries(states)) steps.set({ state }, Number(count));
  const help = "Seconds of video for each second of work, of the sizes made in the last hour; 0 without any.";
  gauge(registry, "peony_encoding_speed", help).set(speed);
}

async function addOutcomes(registry: Registry): Promise<void> {
  const outcomes = await listOutcomes();
  const labels = { labelNames: ["task", "outcome"] as const, registers: [registry] };
  const attempts = new Counter({
    name: "peony_job_attempts_total",
    help: "Ended attempts of jobs; a failed one is tried again.",
    ...labels,
  });
  const seconds = new Counter({
    name: "peony_job_seconds_total",
    help: "Time of the ended attempts.",
    ...labels,
  });
  for (const { job, outcome, ...totals } of outcomes) {
    attempts.inc({ task: job, outcome }, totals.attempts);
    seconds.inc({ task: job, outcome }, totals.seconds);
  }
  if (outcomes.length === 0) return;
  const help = "Since the last attempt of any job ended. One is due every minute.";
  const idle = Math.min(...outcomes.map(({ secondsAgo }) => secondsAgo));
  gauge(registry, "peony_worker_idle_seconds", help).set(idle);
}

async function addEvents(registry: Registry): Promise<void> {
  const { open, oldestOpenSeconds, recentSeconds } = await readEventLag();
  gauge(registry, "peony_webhook_events_open", "Payment events that are not processed yet.").set(open);
  const oldest = "Since the oldest of the open payment events was received.";
  gauge(registry, "peony_webhook_oldest_open_seconds", oldest).set(oldestOpenSeconds);
  const recent = "The longest time from receipt to effect among the payment events of the last ten minutes.";
  gauge(registry, "peony_webhook_lag_seconds", recent).set(recentSeconds);
}

async function addEmails(registry: Registry): Promise<void> {
  const { oldestSeconds, ...states } = await readUnsentMails();
  const emails = new Gauge({
    name: "peony_mails_unsent",
    help: "Emails that wait, and emails that the mail server did not accept at the first try.",
    labelNames: ["state"],
    registers: [registry],
  });
  for (const [state, count] of Object.entries(states)) emails.set({ state }, count);
  gauge(registry, "peony_mails_oldest_unsent_seconds", "The age of the oldest unsent email.").set(
    oldestSeconds,
  );
}

function gauge(registry: Registry, name: string, help: string): Gauge {
  return new Gauge({ name, help, registers: [registry] });
}
