import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { db } from "#db/client.server.ts";
import { alarms } from "#db/schema/alarms.ts";
import { billingEvents } from "#db/schema/billing-events.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { siteSettings } from "#db/schema/site.ts";
import { startMailServer } from "#tests/support/copies/mail-server.ts";
import { builtScript } from "#tests/support/process/built-script.ts";
import { assertNoLeaks } from "../support/log-leaks.ts";

const [ANN, BOB] = ["ann@alarms.example", "bob@alarms.example"];
const WITHIN = { timeout: 90_000, interval: 200 };
const program = await builtScript("worker");
const smtp = await startMailServer();
const workers: ChildProcess[] = [];
let output = "";
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "peony-alarms-"));
  await db.insert(siteSettings).values([
    { name: "site.siteName", value: "Lantern" },
    { name: "site.accent", value: "#0b5fa5" },
    { name: "site.alarmAddresses", value: `${ANN}\n${BOB}` },
  ]);
  for (let count = 0; count < 2; count += 1) await start(smtp.url);
}, 240_000);
beforeEach(async () => {
  await Promise.all([db.delete(alarms), db.delete(billingEvents), db.delete(mailOutbox)]);
});
afterAll(async () => {
  for (const worker of workers) worker.kill("SIGKILL");
  await smtp.stop();
  await rm(dataDir, { recursive: true, force: true });
  await assertNoLeaks(output, { databaseUrl: process.env.DATABASE_URL, secrets: ["alarms.example", "evt_"] });
});

test("two workers send an alarm once to each address, with the site's name and color", async () => {
  await addEvent();
  for (let count = 0; count < 6; count += 1) await enqueue("check-alarms", {});
  await expect.poll(() => [ANN, BOB].map((to) => smtp.mailsTo(to).length), WITHIN).toEqual([1, 1]);
  await untilChecked();
  expect([ANN, BOB].map((to) => smtp.mailsTo(to).length)).toEqual([1, 1]);
  const mail = await PostalMime.parse(smtp.mailsTo(ANN)[0]?.raw ?? "");
  expect(mail.from?.name).toBe("Lantern");
  expect(mail.subject).toBe("Lantern: one payment event has not been processed");
  expect(mail.html).toContain("#0b5fa5");
  expect(mail.text).toContain("http://localhost:3000/studio#late-payments");
  expect(mail.headers.find(({ key }) => key === "auto-submitted")?.value).toBe("auto-generated");

  await db.delete(billingEvents);
  await enqueue("check-alarms", {});
  await expect
    .poll(async () => (await db.select().from(alarms))[0]?.wellSince ?? null, WITHIN)
    .not.toBeNull();
  await db.execute(sql`UPDATE alarms SET well_since = now() - interval '61 minutes'`);
  await enqueue("check-alarms", {});
  await expect.poll(() => smtp.mailsTo(BOB).length, WITHIN).toBe(2);
  const over = await PostalMime.parse(smtp.mailsTo(BOB)[1]?.raw ?? "");
  expect(over.subject).toBe("Lantern: everything is fine again");
}, 240_000);

test("while the mail server accepts nothing, the log says what is wrong, and the email follows later", async () => {
  for (const worker of workers.splice(0)) {
    worker.kill("SIGTERM");
    await once(worker, "exit");
  }
  const before = output.length;
  await start("smtp://127.0.0.1:1");
  await db.insert(mailOutbox).values({
    ...{ kind: "test", to: "reader@example.com", subject: "A test", html: "A test", text: "A test" },
    createdAt: sql`now() - interval '11 minutes'`,
  });
  await enqueue("check-alarms", {});
  const logged = () => output.slice(before);
  await expect.poll(logged, WITHIN).toContain('"msg":"something is wrong with the site"');
  expect(logged()).toContain('"alarms":["mails"]');
  expect(await db.select().from(alarms)).toMatchObject([
    { kind: "mails", amount: 1, mailedAt: expect.any(Date) },
  ]);
  const sent = smtp.mailsTo(ANN).length;
  await start(smtp.url);
  await db.execute(sql`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL`);
  await expect.poll(() => smtp.mailsTo(ANN).length, WITHIN).toBe(sent + 1);
  const late = await PostalMime.parse(smtp.mailsTo(ANN).at(-1)?.raw ?? "");
  expect(late.subject).toMatch(/^Lantern: (one email has|\d emails have) not been sent$/);
}, 240_000);

async function start(smtpUrl: string): Promise<void> {
  const worker = spawn(process.execPath, [program], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      DATABASE_URL: process.env.DATABASE_URL,
      DATA_DIR: dataDir,
      SMTP_URL: smtpUrl,
    },
  });
  workers.push(worker);
  const before = output.length;
  for (const stream of [worker.stdout, worker.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  await vi.waitUntil(() => output.slice(before).includes("Worker connected"), WITHIN);
}

async function addEvent(): Promise<void> {
  const times = { createdAt: new Date(), receivedAt: new Date(Date.now() - 2 * 3_600_000) };
  const subject = { subject: "customer", subjectId: "cus_1", customerId: "cus_1" };
  await db.insert(billingEvents).values({ id: "evt_1", provider: "other", type: "x", ...subject, ...times });
}

async function untilChecked(): Promise<void> {
  const open = sql`SELECT FROM graphile_worker.jobs WHERE task_identifier IN ('check-alarms', 'send-mail')`;
  await expect.poll(async () => (await db.execute(open)).length, WITHIN).toBe(0);
}
