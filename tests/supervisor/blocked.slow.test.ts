import { pathToFileURL } from "node:url";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { enqueueMail } from "#app/domain/mail/outbox.server.ts";
import { db } from "#db/client.server.ts";
import { startWorker } from "#tests/support/billing/worker-process.ts";
import { createMember } from "#tests/support/people.ts";
import { descendants, type RunningProcess, stillRunning } from "#tests/support/process/process-tree.ts";
import { startSite } from "#tests/support/site.ts";
import { uploadFiles } from "#tests/support/uploads.ts";

const NODE_OPTIONS = `--import=${pathToFileURL("tests/support/process/blocking.mjs").href}`;

test("a web process that is blocked is replaced after 20 s of processor time, and the site answers", async () => {
  const site = await startSite({ processes: 1, env: { NODE_OPTIONS } });
  onTestFinished(() => site.stop());
  const processes = () =>
    descendants(site.process.pid ?? 0).filter(({ command }) => command.includes("remix-run/serve"));
  const [blocked] = processes();
  if (blocked === undefined) throw new Error("There is no web process");
  process.kill(blocked.pid, "SIGHUP");
  await expect
    .poll(() => site.output(), { timeout: 300_000, interval: 500 })
    .toContain("a web process has used 20 s of processor time without answering, and is ended");
  await expect
    .poll(async () => (await site.fetch("/healthz").catch(() => null))?.status, { timeout: 60_000 })
    .toBe(200);
  expect(processes().map(({ pid }) => pid)).not.toContain(blocked.pid);
}, 400_000);

test("the making of videos goes on when the media worker is killed", async () => {
  const worker = startWorker();
  onTestFinished(() => worker.kill());
  const makers = async () =>
    (
      await db.execute(sql`SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'peony-encoder'`)
    ).map(({ pid }) => pid);
  const importers = () =>
    descendants(worker.process.pid ?? 0).filter(({ command }) => command.includes("media-worker"));
  await expect.poll(makers, { timeout: 60_000, interval: 300 }).toHaveLength(1);
  await expect.poll(importers, { timeout: 60_000, interval: 300 }).toHaveLength(1);
  const [[maker], [importer]] = [await makers(), importers() as [RunningProcess]];
  process.kill(importer.pid, "SIGKILL");
  const next = () => importers().filter(({ pid }) => pid !== importer.pid);
  await expect.poll(next, { timeout: 60_000, interval: 300 }).toHaveLength(1);
  expect(await makers()).toEqual([maker]);
  const left = descendants(worker.process.pid ?? 0);
  await worker.kill();
  await expect.poll(() => stillRunning(left), { timeout: 30_000 }).toEqual([]);
}, 200_000);

test("a file that blocks its import delays no email, and the import is begun again", async () => {
  const { id: userId } = await createMember({ role: "editor" });
  const background = { r: 90, g: 140, b: 20 };
  const photo = sharp({ create: { width: 900, height: 600, channels: 3, background } });
  await uploadFiles(userId, { "photo.jpg": await photo.jpeg().toBuffer() });
  const worker = startWorker({ NODE_OPTIONS });
  onTestFinished(() => worker.kill());
  const attempts = async () =>
    (await db.execute(sql`SELECT attempts::int AS attempts FROM upload_batches`))[0]?.attempts;
  await expect.poll(attempts, { timeout: 120_000, interval: 300 }).toBe(1);

  await enqueueMail({ kind: "sign-in", to: "reader@example.com", subject: "s", html: "h", text: "t" }, db);
  const sent = async () =>
    (await db.execute(sql`SELECT sent_at FROM mail_outbox`)).map((row) => row.sent_at !== null);
  await expect.poll(sent, { timeout: 30_000, interval: 300 }).toEqual([true]);
  expect(await attempts()).toBe(1);
  await expect.poll(attempts, { timeout: 600_000, interval: 1_000 }).toBe(2);

  // It is blocked again, and ends all the same with the worker.
  const left = descendants(worker.process.pid ?? 0);
  expect(left.map(({ command }) => command)).toContainEqual(expect.stringContaining("media-worker"));
  await worker.kill();
  await expect.poll(() => stillRunning(left), { timeout: 30_000 }).toEqual([]);
}, 800_000);
