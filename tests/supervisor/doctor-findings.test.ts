import { execFileSync, spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { db } from "#db/client.server.ts";
import { withConnection } from "#db/connection.ts";
import { cloneDatabase } from "#tests/support/database/clone-database.ts";
import { adviceOf, backup, settings, startDoctoredSite, withProxy } from "#tests/support/process/doctor.ts";
import { startSite } from "#tests/support/site.ts";

/** The doctor asks for each thing in turn. */
vi.setConfig({ testTimeout: 120_000 });
const folder = await mkdtemp(join(tmpdir(), "peony-findings-"));
const ffmpeg = join(folder, "ffmpeg");
const smallDisk = join(folder, "disk");
const { stop } = await startDoctoredSite();

beforeAll(async () => {
  // Knows each codec but one.
  await writeFile(ffmpeg, '#!/bin/sh\n"$REAL_FFMPEG" "$@" | grep -v " libx264 "\n');
  await chmod(ffmpeg, 0o755);
});
afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
});

test.each<[string, string, RegExp, Record<string, string>]>([
  ["mail", "a mail server that is away", /mail server of SMTP_URL/, { SMTP_URL: "smtp://127.0.0.1:1" }],
  [
    "mail",
    "a wrong password",
    /user and password/,
    { SMTP_URL: settings.SMTP_URL.replace("right", "wrong") },
  ],
  ["payments", "a missing webhook secret", /STRIPE_WEBHOOK_SECRET/, { STRIPE_WEBHOOK_SECRET: "" }],
  ["payments", "no provider", /Nothing can be bought/, { STRIPE_SECRET_KEY: "", STRIPE_WEBHOOK_SECRET: "" }],
  ["ffmpeg", "no ffmpeg", /install ffmpeg/, { FFMPEG_PATH: "/nowhere/ffmpeg" }],
  [
    ...(["ffmpeg", "an ffmpeg without a codec", /has no libx264: install/] as const),
    { FFMPEG_PATH: ffmpeg, REAL_FFMPEG: process.env.FFMPEG_PATH || "ffmpeg" },
  ],
  ["backup", "no backups", /set BACKUP_DIR/, { BACKUP_DIR: "" }],
  ["backup", "a folder without one", /no backup in .* yet/, { BACKUP_DIR: folder }],
  ["backup", "a folder that is gone", /may not write to BACKUP_DIR/, { BACKUP_DIR: "/nowhere" }],
  ["backup disk", "a folder that is gone", /BACKUP_DIR cannot be read/, { BACKUP_DIR: "/nowhere" }],
  [
    ...(["clock", "a clock that is late", /differ by 60 s: .*NTP/] as const),
    {
      CLOCK_SHIFT_MS: "-60000",
      NODE_OPTIONS: `--import=${pathToFileURL("tests/support/process/shifted-clock.mjs").href}`,
    },
  ],
  ["public address", "an address that leads nowhere", /Nobody reaches/, { APP_URL: "https://localhost:1" }],
  ["proxies", "a proxy too many in the settings", /set TRUST_PROXY=1/, { TRUST_PROXY: "2" }],
  ["proxies", "a proxy that nobody has set", /stands in front: set TRUST_PROXY=1/, { TRUST_PROXY: "0" }],
  ["proxies", "another secret", /SESSION_SECRET/, { SESSION_SECRET: "b4c1d3a9e8f7061524d3c2b1a0f9e8d7c6" }],
])("%s: the doctor finds %s", async (name, _, advice, broken) => {
  expect(await adviceOf(name, broken)).toMatch(advice);
});

test("the doctor finds an old backup, and a proxy that refuses large forms", async () => {
  const old = new Date(Date.now() - 3 * 86_400_000);
  await utimes(backup, old, old);
  expect(await adviceOf("backup")).toMatch(/3 days old/);
  await utimes(backup, new Date(), new Date());
  await withProxy({ maxBytes: 1_000_000 }, async () => {
    expect(await adviceOf("large forms")).toMatch(/refuses 5 MB/);
  });
});

test("the doctor finds a proxy that changes cookies, one that keeps them, and another program", async () => {
  const cookiesAs = (change: (cookies: string[]) => string[]) => ({
    change: (headers: IncomingHttpHeaders) => ({
      ...headers,
      "set-cookie": change(headers["set-cookie"] ?? []),
    }),
  });
  const weakened = cookiesAs((cookies) => cookies.map((cookie) => cookie.replace(/; *Secure/i, "")));
  await withProxy(weakened, async () => {
    expect(await adviceOf("cookies")).toMatch(/Cookies arrive changed/);
  });
  await withProxy(
    cookiesAs(() => []),
    async () => {
      expect(await adviceOf("cookies")).toMatch(/No cookie comes back/);
    },
  );
  await withProxy({ target: null }, async () => {
    expect(await adviceOf("public address")).toMatch(/Something else answers/);
  });
});

test("the doctor finds a proxy that is not in the list of TRUST_PROXY", async () => {
  const listed = { TRUST_PROXY: "10.9.9.9" };
  const site = await startSite({ env: { ...settings, ...listed } });
  try {
    await withProxy({ target: site }, async () => {
      expect(await adviceOf("proxies", listed)).toMatch(/add its address to TRUST_PROXY/);
    });
  } finally {
    await site.stop();
  }
});

test("the doctor finds jobs that wait for long, and jobs that have failed for good", async () => {
  const add = (runAt: string) =>
    db.execute(sql`SELECT graphile_worker.add_job('send-mail', '{}', run_at => now() - ${runAt}::interval)`);
  await add("10 minutes");
  expect(await adviceOf("jobs")).toMatch(/waited for 10 minutes/);
  await db.execute(sql`UPDATE graphile_worker._private_jobs SET attempts = max_attempts`);
  expect(await adviceOf("jobs")).toMatch(/1 jobs have failed for good/);
  await db.execute(sql`DELETE FROM graphile_worker._private_jobs`);
});

test("the doctor finds a database that is not migrated, of another encoding, or unreachable", async () => {
  const empty = await cloneDatabase(inject("serverUrl"), "template1");
  expect(await adviceOf("migrations", { DATABASE_URL: empty })).toMatch(
    /\d+ are missing: run npm run db:migrate/,
  );
  const latin = `${empty}_latin`;
  await withConnection(inject("serverUrl"), (admin) =>
    admin.unsafe(
      `CREATE DATABASE ${new URL(latin).pathname.slice(1)} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`,
    ),
  );
  expect(await adviceOf("database", { DATABASE_URL: latin })).toMatch(/encoding is LATIN1/);
  const unreachable = { DATABASE_URL: "postgres://peony:peony@127.0.0.1:1/peony" };
  expect(await adviceOf("database", unreachable)).toMatch(/does not answer/);
});

const isMounted =
  spawnSync("sh", ["-c", `mkdir ${smallDisk} && mount -t tmpfs -o size=16m none ${smallDisk}`]).status === 0;
afterAll(() => {
  if (isMounted) execFileSync("umount", ["--lazy", smallDisk]);
});

test.runIf(isMounted)("the doctor finds small disks", async () => {
  expect(await adviceOf("disk", { DATA_DIR: smallDisk })).toMatch(/^Only 0 GB of 0 GB .*DATA_DIR/);
  expect(await adviceOf("backup disk", { BACKUP_DIR: smallDisk })).toMatch(/^Only 0 GB .*BACKUP_KEEP/);
});
