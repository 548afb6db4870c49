import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { db } from "#db/client.server.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { type Balancer, startBalancer } from "#tests/support/copies/balancer.ts";
import { type Copy, startCopy } from "#tests/support/copies/copy.ts";
import { startMailServer } from "#tests/support/copies/mail-server.ts";
import { startLoad } from "#tests/support/copies/steady-load.ts";
import { addFile } from "#tests/support/media-site.ts";
import { Jar } from "../support/cookie-jar.ts";

/** deploy/two-copies.conf leaves a copy for ten seconds after a failure. */
const BALANCER_RETURNS_AFTER_MS = 11_000;
const LOADED_MS = 4_000;
/** A job looks for abandoned ones every minute. */
const FREED_WITHIN_MS = 150_000;

const PHOTO = { name: "photo-1-480.webp", contentType: "image/webp" };
await buildWhenStale();
const mails = await startMailServer();
const env = { SMTP_URL: mails.url };
let first: Copy;
let second: Copy;
let balancer: Balancer;
let mediaId: string;
let photo: string;
let newer: string;

beforeAll(async () => {
  const storage = localStorage(config.media.dir);
  mediaId = (await addFile(storage, Buffer.alloc(5_000, 7), { durationSeconds: 600 })).mediaId;
  photo = (await addFile(storage, Buffer.alloc(5_000, 7), { type: "photoSet" }, PHOTO)).path;
  newer = await mkdtemp(join(tmpdir(), "peony-newer-"));
  first = await startCopy({ env });
  second = await startCopy({ env });
  balancer = await startBalancer([first.port, second.port]);
}, 240_000);

afterAll(async () => {
  await Promise.all([first.kill(), second.kill()]);
  await balancer.stop();
  await mails.stop();
  await rm(newer, { recursive: true, force: true });
});

test("an upgrade of one copy after the other fails no request, and pages find the files of either release", async () => {
  const asset = await buildNewerRelease(newer);
  const load = await startLoad(balancer.port, mediaId, photo);
  await sleep(LOADED_MS);

  const stopping = first.stop();
  const statusOf = async (path: string) => (await first.fetch(path)).status;
  await expect.poll(() => statusOf("/healthz")).toBe(503);
  expect(await statusOf("/terms")).toBe(200);
  expect(await stopping).toBe(0);
  first = await startCopy({ env, cwd: newer, port: first.port });
  await sleep(BALANCER_RETURNS_AFTER_MS);
  // Only pages of the newer release name it, so nobody asks before the balancer is back at that copy.
  load.also(asset);
  await sleep(LOADED_MS);
  expect(await second.stop()).toBe(0);
  second = await startCopy({ env, cwd: newer, port: second.port });
  await sleep(BALANCER_RETURNS_AFTER_MS);

  await load.end();
  expect(load.exchanges.filter(({ status }) => status !== 200)).toEqual([]);
  expect(load.exchanges.length).toBeGreaterThan(300);
  expect(load.exchanges.some(({ path }) => path === asset)).toBe(true);
  expect(await load.lostWrites()).toBe(0);
}, 400_000);

test("a copy that is killed under load takes only its requests in progress with it, and its jobs pass to the other", async () => {
  await second.stop();
  const poolsOfFirst = await connectedPools();
  second = await startCopy({ env, cwd: newer, port: second.port });
  await sleep(BALANCER_RETURNS_AFTER_MS);
  const load = await startLoad(balancer.port, mediaId, photo);
  await sleep(LOADED_MS);
  const address = await untilHeldBy(poolsOfFirst);

  const killBegunAt = performance.now();
  await first.kill();
  const killedAt = performance.now();
  mails.delayed.clear();
  await sleep(LOADED_MS);
  await load.end();

  const failed = load.exchanges.filter(({ status }) => status !== 200);
  // A form that the killed copy may have begun is not sent a second time.
  expect(failed.filter(({ method }) => method !== "POST")).toEqual([]);
  for (const { startedAt, endedAt } of failed) {
    expect([startedAt <= killedAt, endedAt >= killBegunAt]).toEqual([true, true]);
  }
  expect(load.exchanges.length).toBeGreaterThan(50);
  expect(await load.lostWrites()).toBe(0);

  expect(mails.mailsTo(address)).toHaveLength(1);
  await letLocksGrowOld();
  await expect.poll(() => mails.mailsTo(address).length, { timeout: FREED_WITHIN_MS }).toBe(2);
}, 400_000);

/** The ids by which the connected workers lock their jobs. */
async function connectedPools(): Promise<string[]> {
  const rows = await db.execute<{ pool: string }>(sql`SELECT substr(application_name, 14) AS pool
    FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'peony-worker pool-%'`);
  return rows.map(({ pool }) => pool);
}

/** Requests emails until one of these workers is in the middle of one. Returns its recipient. */
async function untilHeldBy(pools: string[]): Promise<string> {
  for (let count = 1; ; count += 1) {
    const to = `held-${count}@example.com`;
    mails.delayed.add(to);
    const jar = new Jar(second, { "X-Forwarded-For": `198.51.100.${count}` });
    await jar.post("/signin", { email: to, next: "/" });
    await expect.poll(() => mails.mailsTo(to).length, { timeout: 60_000 }).toBe(1);
    const [job] = await db.execute<{ pool: string | null }>(sql`SELECT locked_by AS pool
      FROM graphile_worker._private_jobs jobs JOIN mail_outbox mail ON jobs.payload ->> 'mailId' = mail.id::text
      WHERE mail."to" = ${to}`);
    if (pools.includes(job?.pool ?? "")) return to;
  }
}

/** This release with one more file in a folder of its own. Returns the file's path. */
async function buildNewerRelease(folder: string): Promise<string> {
  for (const name of ["node_modules", "drizzle", "demo", "package.json"]) {
    await symlink(resolve(name), join(folder, name));
  }
  await cp("build", join(folder, "build"), { recursive: true });
  await writeFile(join(folder, "build/client/assets/only-in-newer.js"), "export {};\n");
  return "/assets/only-in-newer.js";
}

async function letLocksGrowOld(): Promise<void> {
  await db.execute(sql`UPDATE graphile_worker._private_jobs SET locked_at = now() - interval '2 minutes'
    WHERE locked_at IS NOT NULL`);
}
