import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { writeMail } from "#app/domain/mail/outbox.server.ts";
import { memberHolder, newLease, takeSlot } from "#app/domain/viewing/video-slots.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { startWorker } from "#tests/support/billing/worker-process.ts";
import { CANARIES, found } from "#tests/support/canaries/planted.ts";
import { createVideo } from "#tests/support/media.ts";
import { expectMetric, fetchAlone, scrape, sumOf } from "#tests/support/metrics/scrape.ts";
import { adultCookie, createMember } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";

const backups = await mkdtemp(join(tmpdir(), "peony-backups-"));
const site = await startSite({ env: { BACKUP_DIR: backups } });
afterAll(async () => {
  await site.stop();
  await rm(backups, { recursive: true, force: true });
});

test("the queue, the payment events, the emails and the videos are counted as they are in the database", async () => {
  await enqueue("billing-event", { eventId: CANARIES.payload });
  await enqueue("delete-avatars", { userId: (await createMember()).id }, db, { afterSeconds: 3_600 });
  await db.execute(sql`UPDATE graphile_worker._private_jobs SET run_at = now() - interval '90 seconds'
    WHERE run_at <= now()`);
  await db.execute(sql`INSERT INTO billing_events
      (id, provider, type, subject, subject_id, created_at, received_at, processed_at) VALUES
    (${CANARIES.payload}, 'stripe', 'invoice.paid', 'invoice', ${CANARIES.card}, now(), now() - interval '2 hours', NULL),
    ('evt_2', 'stripe', 'invoice.paid', 'invoice', 'in_2', now(), now() - interval '2 minutes', now() - interval '90 seconds'),
    ('evt_3', 'stripe', 'invoice.paid', 'invoice', 'in_3', now(), now() - interval '3 hours', now())`);
  const mail = { kind: "sign-in", to: CANARIES.memberMail, subject: CANARIES.title, html: "x", text: "x" };
  for (let count = 0; count < 3; count += 1) await writeMail(mail as never, db);
  await db.execute(sql`UPDATE mail_outbox SET attempts = 2, last_error = ${CANARIES.refusedMail},
    created_at = now() - interval '10 minutes' WHERE id = (SELECT id FROM mail_outbox LIMIT 1)`);
  await takeSlot(memberHolder((await createMember()).id), newLease());

  await expectMetric(site, "peony_video_slots", 1);
  await expectMetric(site, 'peony_jobs{task="billing-event",state="waiting"}', 1);
  const text = await scrape(site);
  const value = (beginning: string) => sumOf(text, beginning);
  expect(value('peony_jobs{task="delete-avatars",state="scheduled"}')).toBe(1);
  expect(value("peony_jobs_oldest_waiting_seconds")).toBeGreaterThanOrEqual(90);
  expect(value("peony_webhook_events_open ")).toBe(1);
  expect(value("peony_webhook_oldest_open_seconds")).toBeGreaterThanOrEqual(7_200);
  expect(value("peony_webhook_lag_seconds")).toBeCloseTo(30, 0);
  expect(value('peony_mails_unsent{state="waiting"}')).toBe(2);
  expect(value('peony_mails_unsent{state="failing"}')).toBe(1);
  expect(value("peony_mails_oldest_unsent_seconds")).toBeGreaterThanOrEqual(600);
  await db.execute(sql`DELETE FROM graphile_worker._private_jobs`);
}, 60_000);

test("the steps that make the files of videos are counted by state, with the speed of the sizes", async () => {
  await db.execute(sql`TRUNCATE media CASCADE`);
  const { id } = await createVideo({ durationSeconds: 600 });
  await db.execute(sql`INSERT INTO media_encodings (media_id) VALUES (${id})`);
  await db.execute(sql`INSERT INTO media_work (media_id, step, position, state, seconds) VALUES
    (${id}, 'source', 0, 'done', 1), (${id}, 'rung-720', 1, 'done', 200), (${id}, 'rung-480', 2, 'running', NULL),
    (${id}, 'video-720', 3, 'waiting', NULL), (${id}, 'hover', 4, 'waiting', NULL), (${id}, 'sprite', 5, 'failed', NULL)`);
  await expectMetric(site, 'peony_encoding_steps{state="waiting"}', 2);
  const text = await scrape(site);
  expect(sumOf(text, 'peony_encoding_steps{state="running"}')).toBe(1);
  expect(sumOf(text, 'peony_encoding_steps{state="failed"}')).toBe(1);
  expect(sumOf(text, "peony_encoding_speed")).toBe(3);
}, 60_000);

test("the newest nightly backup has its age, and without one the age is infinite", async () => {
  expect(sumOf(await scrape(site), "peony_backup_age_seconds")).toBe(Number.POSITIVE_INFINITY);
  await writeFile(join(backups, "peony-20261102T023000Z.tar.0123456789ab.part"), "");
  const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
  for (const [name, age] of [
    ["peony-20261101T023000Z.tar", hours(55)],
    ["peony-20261102T023000Z.tar", hours(31)],
  ] as const) {
    await writeFile(join(backups, name), "");
    await utimes(join(backups, name), age, age);
  }
  await expect
    .poll(async () => Math.round(sumOf(await scrape(site), "peony_backup_age_seconds") / 3_600))
    .toBe(31);
}, 60_000);

test("nothing that a visitor or a member wrote is in the metrics", async () => {
  const cookie = `${await adultCookie()}; other=${CANARIES.otherCookie}`;
  const headers = {
    cookie,
    "user-agent": CANARIES.userAgent,
    referer: `https://${CANARIES.referrer}.example/`,
  };
  for (const path of [
    `/${CANARIES.missingPage}`,
    `/content/video/${CANARIES.title}`,
    `${paths.list("video")}?q=${CANARIES.search}`,
    `/creators/${CANARIES.creatorName}`,
    `/media/${CANARIES.pictureName}/cover-480.webp`,
    `/assets/${CANARIES.fileName}.js`,
    `/${CANARIES.dataParameter}.data`,
  ]) {
    await fetchAlone(site, path, headers);
    await fetchAlone(site, path, { ...headers, host: `${CANARIES.badHost}.example` });
  }
  await fetchAlone(site, `/${CANARIES.badMethod}`, headers, "PROPFIND");
  await fetchAlone(site, "/metrics", { ...headers, authorization: `Bearer ${CANARIES.authorization}` });
  await fetchAlone(site, "/metrics", { ...headers, "x-forwarded-for": CANARIES.forwarded });
  await expectMetric(site, 'peony_http_requests_total{route="/metrics",method="GET",status="404"}', 2);
  expect(found(await scrape(site))).toEqual([]);
}, 60_000);

test("the worker's attempts are counted by their outcome, over its restarts", async () => {
  const succeeded = 'peony_job_attempts_total{task="send-mail",outcome="succeeded"}';
  for (let count = 1; count <= 2; count += 1) {
    await enqueue("send-mail", { mailId: "00000000-0000-4000-8000-000000000000" });
    const worker = startWorker();
    await expectMetric(site, succeeded, count);
    await worker.kill();
  }
  expect(sumOf(await scrape(site), "peony_worker_idle_seconds")).toBeLessThan(60);
}, 180_000);
