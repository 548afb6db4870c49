import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { asc, eq, like, sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { LIMITS, takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { readQueue, retryFailedJobs } from "#app/domain/jobs/queue.server.ts";
import { db } from "#db/client.server.ts";
import { alarms } from "#db/schema/alarms.ts";
import { rateLimits, users } from "#db/schema/auth.ts";
import { billingEvents } from "#db/schema/billing-events.ts";
import { jobOutcomes } from "#db/schema/jobs.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { siteSettings } from "#db/schema/site.ts";
import { loseFolders } from "#tests/support/disks.ts";
import { createMember } from "#tests/support/people.ts";
import { checkAlarms, listOpenAlarms } from "./check-alarms.server.ts";

const OWNER = "owner-of-alarms@example.com";
const configured = { ...config.backup };
const folder = await mkdtemp(join(tmpdir(), "peony-alarms-"));
const disk = await mkdtemp(join(tmpdir(), "peony-small-disk-"));
const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=16m", "none", disk]).status === 0;
await createMember({ email: OWNER, role: "owner" });

afterAll(async () => {
  Object.assign(config.backup, configured);
  if (isMounted) execFileSync("umount", ["--lazy", disk]);
  await Promise.all([folder, disk].map((path) => rm(path, { recursive: true, force: true })));
});
beforeEach(async () => {
  Object.assign(config.backup, { dir: null });
  await Promise.all([
    db.delete(alarms),
    db.delete(mailOutbox),
    db.delete(billingEvents),
    db.delete(jobOutcomes),
  ]);
  await db.delete(siteSettings).where(like(siteSettings.name, "site.%"));
  await db.execute(sql`DELETE FROM graphile_worker._private_jobs`);
});

test("nothing wrong means no alarm and no email", async () => {
  expect(await checkAlarms()).toEqual({ open: [], mail: null, recipients: 0, failed: [] });
  expect(await mails()).toEqual([]);
});

test("an alarm is emailed once, then each day while it lasts, and once when everything is fine again", async () => {
  await addEvent();
  expect(await checkAlarms()).toMatchObject({ open: ["payments"], mail: "new", recipients: 1 });
  expect(await checkAlarms()).toMatchObject({ open: ["payments"], mail: null });
  await moveBack("mailed_at", "23 hours");
  expect(await checkAlarms()).toMatchObject({ mail: null });
  await moveBack("mailed_at", "1 hour");
  expect(await checkAlarms()).toMatchObject({ mail: "reminder" });
  expect(await checkAlarms()).toMatchObject({ mail: null });

  await db.delete(billingEvents);
  expect(await checkAlarms()).toMatchObject({ open: [], mail: null });
  expect(await listOpenAlarms()).toEqual([]);
  await moveBack("well_since", "61 minutes");
  expect(await checkAlarms()).toMatchObject({ open: [], mail: "over" });
  expect(await checkAlarms()).toMatchObject({ open: [], mail: null });
  expect(await kinds()).toEqual(["alarm", "alarm-reminder", "alarm-over"]);
  expect(await db.$count(alarms)).toBe(0);
  expect(await sendJobs()).toBe(3);

  // A problem that comes back is new.
  await addEvent();
  expect(await checkAlarms()).toMatchObject({ mail: "new" });
});

test("a problem that comes and goes within an hour is one alarm", async () => {
  for (let round = 0; round < 4; round += 1) {
    await addEvent();
    await checkAlarms();
    await db.delete(billingEvents);
    await checkAlarms();
    await moveBack("well_since", "30 minutes");
  }
  expect(await kinds()).toEqual(["alarm"]);
});

test("a second alarm is emailed at once beside the first, and one email ends both", async () => {
  await addEvent();
  await checkAlarms();
  await addFailedJob("delete-avatars");
  expect(await checkAlarms()).toMatchObject({ open: ["payments", "jobs"], mail: "new" });
  const [, second] = await mails();
  expect(second?.subject).toBe("Peony: one job failed");
  expect(second?.text).toMatch(
    /One job failed[\s\S]*still wrong[\s\S]*One payment event has not been processed/,
  );

  await db.delete(billingEvents);
  await checkAlarms();
  await moveBack("well_since", "61 minutes");
  expect(await checkAlarms()).toMatchObject({ open: ["jobs"], mail: null });
  await db.execute(sql`DELETE FROM graphile_worker._private_jobs WHERE attempts >= max_attempts`);
  await checkAlarms();
  await moveBack("well_since", "61 minutes");
  expect(await checkAlarms()).toMatchObject({ mail: "over" });
  expect((await mails()).at(-1)?.text).toMatch(
    /One payment event[\s\S]*From [\s\S]* to [\s\S]*One job failed/,
  );
});

test("an email says what is wrong, since when, what it means and where to solve it", async () => {
  await db.insert(siteSettings).values({ name: "site.timeZone", value: "UTC" });
  await addEvent(new Date("2026-11-26T10:00:00Z"));
  await db.execute(sql`UPDATE billing_events SET received_at = now() - interval '2 hours'`);
  await checkAlarms();
  const [mail] = await mails();
  expect(mail).toMatchObject({ to: OWNER, subject: "Peony: one payment event has not been processed" });
  for (const text of [mail?.text ?? "", (mail?.html ?? "").replaceAll("<!-- -->", "")]) {
    expect(text).toContain("One payment event has not been processed");
    expect(text).toMatch(/Since \w+, \d+ \w+ \d{4}, \d\d:\d\d \(UTC\)/);
    expect(text).toContain("what was paid, canceled or refunded");
    expect(text).toContain("http://localhost:3000/studio#late-payments");
    expect(text).toContain("http://localhost:3000/studio/settings/alarms");
    expect(text).not.toContain("evt_");
  }
});

test("several workers that check at once write one email of each kind", async () => {
  const checkThrice = async () => {
    const reports = await Promise.all([checkAlarms(), checkAlarms(), checkAlarms()]);
    return reports.flatMap(({ mail }) => mail ?? []);
  };
  await addEvent();
  expect(await checkThrice()).toEqual(["new"]);
  await moveBack("mailed_at", "1 day");
  expect(await checkThrice()).toEqual(["reminder"]);
  await db.delete(billingEvents);
  await checkThrice();
  await moveBack("well_since", "61 minutes");
  expect(await checkThrice()).toEqual(["over"]);
  expect([await kinds(), await sendJobs()]).toEqual([["alarm", "alarm-reminder", "alarm-over"], 3]);

  // An alarm that nobody could be written to, and whose check fails now.
  Object.assign(config.backup, { dir: join(folder, "gone") });
  await db.insert(alarms).values({ kind: "backup", amount: 0, since: new Date() });
  expect(await checkThrice()).toEqual(["new"]);
});

test("alarms go to the stored addresses, or else to every owner who stays", async () => {
  const other = await createMember({ role: "owner" });
  const resigned = await createMember({ role: "owner" });
  await db.update(users).set({ deletionRequestedAt: new Date() }).where(eq(users.id, resigned.id));
  await createMember({ role: "editor" });
  await addEvent();
  await checkAlarms();
  expect((await mails()).map(({ to }) => to).sort()).toEqual([other.email, OWNER].sort());

  await db.delete(users).where(eq(users.id, other.id));
  await Promise.all([db.delete(alarms), db.delete(mailOutbox)]);
  // The last is one that nobody could save.
  const value = "ann@example.com\nbob@example.com\nno address";
  await db.insert(siteSettings).values({ name: "site.alarmAddresses", value });
  await checkAlarms();
  expect((await mails()).map(({ to }) => to).sort()).toEqual(["ann@example.com", "bob@example.com"]);
});

test("a site without a recipient emails the alarm once there is one", async () => {
  await db.update(users).set({ role: "member" }).where(eq(users.email, OWNER));
  await addEvent();
  expect(await checkAlarms()).toMatchObject({ open: ["payments"], mail: null, recipients: 0 });
  await db.update(users).set({ role: "owner" }).where(eq(users.email, OWNER));
  expect(await checkAlarms()).toMatchObject({ mail: "new", recipients: 1 });
});

test("emails that wait are an alarm after ten minutes, and one to a wrong address is none", async () => {
  await addMail({ age: "9 minutes", lastError: "ETIMEDOUT" });
  expect(await checkAlarms()).toMatchObject({ open: [] });
  await addMail({ age: "11 minutes", lastError: "EENVELOPE" });
  await addMail({ age: "12 minutes", lastError: null, sent: "1 minute" });
  expect(await checkAlarms()).toMatchObject({ open: [] });
  // Nothing has been sent since.
  await db.delete(mailOutbox).where(sql`sent_at IS NOT NULL`);
  expect(await checkAlarms()).toMatchObject({ open: ["mails"] });
  await db.delete(mailOutbox);
  await addMail({ age: "11 minutes", lastError: "ETIMEDOUT" });
  await addMail({ age: "12 minutes", lastError: null, sent: "1 minute" });
  expect(await checkAlarms()).toMatchObject({ open: ["mails"] });
});

test("half of an hour's sign-in emails is an alarm, so that a host hears of it before newcomers get none", async () => {
  await db.delete(rateLimits);
  const half = LIMITS.mailByEverybody.points / 2;
  for (let taken = 1; taken < half; taken += 1) await takePoint("mailByEverybody", "all");
  expect(await checkAlarms()).toMatchObject({ open: [] });
  await takePoint("mailByEverybody", "all");
  expect(await checkAlarms()).toMatchObject({ open: ["signIns"], mail: "new" });
  const [mail] = await mails();
  expect(mail?.subject).toBe("Peony: 100 sign-in emails were requested within an hour");
  expect(mail?.text).toContain("http://localhost:3000/studio#many-sign-ins");
  const begunMs = Date.now() - ((await listOpenAlarms())[0]?.since.getTime() ?? 0);
  expect(begunMs).toBeLessThan(60_000);
  await db.update(rateLimits).set({ expire: new Date(0) });
  expect(await checkAlarms()).toMatchObject({ open: [], mail: null });
});

async function failedInQueue(job: string): Promise<number | undefined> {
  return (await readQueue()).find((queued) => queued.job === job)?.failed;
}

test("a failed job is an alarm until it has succeeded, or until one like it has when it comes again", async () => {
  await addFailedJob("rank-media");
  expect(await checkAlarms()).toMatchObject({ open: ["jobs"] });
  expect(await failedInQueue("rank-media")).toBe(1);
  await db.insert(jobOutcomes).values({ job: "rank-media", outcome: "succeeded", attempts: 1, seconds: 1 });
  expect(await checkAlarms()).toMatchObject({ open: [] });
  expect(await failedInQueue("rank-media")).toBe(0);
  await addFailedJob("delete-avatars");
  await db
    .insert(jobOutcomes)
    .values({ job: "delete-avatars", outcome: "succeeded", attempts: 1, seconds: 1 });
  expect(await checkAlarms()).toMatchObject({ open: ["jobs"] });
  expect(await failedInQueue("delete-avatars")).toBe(1);
  // These have alarms of their own.
  for (const name of ["send-mail", "billing-event", "back-up"]) await addFailedJob(name);
  expect((await listOpenAlarms())[0]?.amount).toBe(1);

  await db.execute(sql`UPDATE graphile_worker._private_jobs SET payload = '{"_cron": {}}'
    WHERE task_id = (SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'rank-media')`);
  expect(await retryFailedJobs()).toEqual({ retried: 4, dropped: 1 });
  expect(await retryFailedJobs()).toEqual({ retried: 0, dropped: 0 });
  expect(await checkAlarms()).toMatchObject({ open: [] });
});

test("a late or failed backup is an alarm where the host wants backups, and a folder that was just set is none", async () => {
  const name = join(folder, "peony-20261124T023000Z.tar");
  const age = (hours: number) => utimes(name, new Date(), new Date(Date.now() - hours * 3_600_000));
  Object.assign(config.backup, { dir: folder });
  expect(await checkAlarms()).toMatchObject({ open: [] });
  await writeFile(name, "");
  await age(29);
  expect(await checkAlarms()).toMatchObject({ open: [] });
  await age(31);
  expect(await checkAlarms()).toMatchObject({ open: ["backup"] });
  const [alarm] = await listOpenAlarms();
  expect(Date.now() - (alarm?.since.getTime() ?? 0)).toBeGreaterThan(30.9 * 3_600_000);
  await age(1);
  expect(await checkAlarms()).toMatchObject({ open: [] });

  const ended = { job: "back-up", attempts: 1, seconds: 1 };
  await db.insert(jobOutcomes).values({ ...ended, outcome: "gave-up" });
  expect(await checkAlarms()).toMatchObject({ open: ["backup"] });
  await sleep(5);
  await db.insert(jobOutcomes).values({ ...ended, outcome: "succeeded" });
  expect(await checkAlarms()).toMatchObject({ open: [] });
  Object.assign(config.backup, { dir: null });
  await age(100);
  expect(await checkAlarms()).toMatchObject({ open: [] });
});

test("a backup that failed after hours is an alarm before its last try, on a disk that does not answer too", async () => {
  Object.assign(config.backup, { dir: folder });
  await writeFile(join(folder, "peony-20261124T023000Z.tar"), "");
  await addOutcome("failed", "10 minutes");
  expect(await checkAlarms()).toMatchObject({ open: [] });
  await moveOutcomes("10 minutes");
  expect(await checkAlarms()).toMatchObject({ open: ["backup"] });
  await addOutcome("succeeded", "5 minutes");
  expect(await checkAlarms()).toMatchObject({ open: [] });
  // Tries of the next night, which fail at once.
  await moveOutcomes("1 day");
  await db.update(jobOutcomes).set({ lastAt: sql`now()` }).where(eq(jobOutcomes.outcome, "failed"));
  expect(await checkAlarms()).toMatchObject({ open: [] });

  await moveOutcomes("1 hour");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const lost = loseFolders();
  const checked = checkAlarms();
  await lost;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await checked).toMatchObject({ open: ["backup"], failed: [] });
});

test("a check that fails neither opens an alarm nor ends one", async () => {
  Object.assign(config.backup, { dir: folder });
  const name = join(folder, "peony-20261124T023000Z.tar");
  await writeFile(name, "");
  await utimes(name, new Date(), new Date(Date.now() - 40 * 3_600_000));
  expect(await checkAlarms()).toMatchObject({ open: ["backup"] });
  Object.assign(config.backup, { dir: join(folder, "gone") });
  const report = await checkAlarms();
  expect(report.failed.map(({ kind }) => kind)).toEqual(["backup", "disk"]);
  expect(report.open).toEqual(["backup"]);
});

test.skipIf(!isMounted)("a disk that is nearly full is an alarm, the one of the backups too", async () => {
  const { dataDir } = config;
  try {
    Object.assign(config, { dataDir: disk });
    // A small one has little to free.
    expect(await checkAlarms()).toMatchObject({ open: [] });
    await writeFile(join(disk, "film.mp4"), Buffer.alloc(14e6));
    expect(await checkAlarms()).toMatchObject({ open: ["disk"] });
  } finally {
    Object.assign(config, { dataDir });
  }
  expect(await checkAlarms()).toMatchObject({ open: [] });
  Object.assign(config.backup, { dir: disk });
  expect(await checkAlarms()).toMatchObject({ open: ["disk"] });
});

async function mails() {
  return db
    .select()
    .from(mailOutbox)
    .where(like(mailOutbox.kind, "alarm%"))
    .orderBy(asc(mailOutbox.createdAt));
}

async function kinds(): Promise<string[]> {
  return (await mails()).map(({ kind }) => kind);
}

async function sendJobs(): Promise<number> {
  const rows = await db.execute(sql`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'send-mail'`);
  return rows.length;
}

/** Makes each alarm's moment older. */
async function moveBack(column: "mailed_at" | "well_since", by: string): Promise<void> {
  const name = sql.identifier(column);
  await db.execute(sql`UPDATE alarms SET ${name} = ${name} - ${by}::interval`);
}

async function addEvent(createdAt = new Date()): Promise<void> {
  const receivedAt = new Date(Date.now() - 2 * 3_600_000);
  const subject = { subject: "customer", subjectId: "cus_1", customerId: "cus_1" };
  const event = { id: "evt_1", provider: "demo", type: "customer.updated", createdAt, receivedAt };
  await db.insert(billingEvents).values({ ...event, ...subject });
}

async function addFailedJob(name: string): Promise<void> {
  const [job] = await db.execute<{ id: string }>(
    sql`SELECT id FROM graphile_worker.add_job(${name}::text, '{}', max_attempts => 1)`,
  );
  await db.execute(
    sql`UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE id = ${job?.id ?? ""}`,
  );
}

async function addOutcome(outcome: string, age: string): Promise<void> {
  const lastAt = sql`now() - ${age}::interval`;
  await db.insert(jobOutcomes).values({ job: "back-up", outcome, attempts: 1, seconds: 1, lastAt });
}

async function moveOutcomes(by: string): Promise<void> {
  await db.update(jobOutcomes).set({ lastAt: sql`${jobOutcomes.lastAt} - ${by}::interval` });
}

async function addMail({ age, lastError, sent }: { age: string; lastError: string | null; sent?: string }) {
  const body = { subject: "A test", html: "A test", text: "A test", lastError };
  await db.insert(mailOutbox).values({
    ...{ kind: "test", to: "ada@example.com", ...body },
    createdAt: sql`now() - ${age}::interval`,
    sentAt: sent === undefined ? null : sql`now() - ${sent}::interval`,
  });
}
