import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { addDays, toZoneTime } from "#app/dates.ts";
import { BODY_LIMITS } from "#app/web/forms/form-body.server.ts";
import { db } from "#db/client.server.ts";
import { withConnection } from "#db/connection.ts";
import { readRows, text } from "#db/rows.ts";
import { invoices } from "#db/schema/invoices.ts";
import { prices } from "#db/schema/prices.ts";
import { prepareDatabase } from "#scripts/supervisor/prepare-database.ts";
import { begin, bill, inDays, prepareOffer } from "#tests/support/billing/stored-subscription.ts";
import { startChaosProxy } from "#tests/support/chaos-proxy.ts";
import { createVideo } from "#tests/support/media.ts";
import {
  adviceByCheck,
  adviceOf,
  backup,
  doctor,
  settings,
  startDoctoredSite,
  withProxy,
} from "#tests/support/process/doctor.ts";
import { startSite } from "#tests/support/site.ts";

/** The doctor asks for each thing in turn. */
vi.setConfig({ testTimeout: 120_000 });
const folder = await mkdtemp(join(tmpdir(), "peony-findings-"));
const ffmpeg = join(folder, "ffmpeg");
const smallDisk = join(folder, "disk");
const { stop } = await startDoctoredSite();

beforeAll(async () => {
  // Knows each codec and filter but one, and not the codec of WebP, which nothing uses.
  await writeFile(
    ffmpeg,
    '#!/bin/sh\n"$REAL_FFMPEG" "$@" | grep -v -e " libx264 " -e " libwebp " -e " zscale "\n',
  );
  await chmod(ffmpeg, 0o755);
  // Even root cannot read or write a file as a folder.
  await writeFile(join(folder, "media"), "");
});
afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Each has faults of different checks, because a check reads only its own settings and the doctor takes two seconds of
 * processor time. Two faults of one check are in different sets.
 */
const BROKEN = {
  one: {
    SMTP_URL: "smtp://127.0.0.1:1",
    STRIPE_WEBHOOK_SECRET: "",
    FFMPEG_PATH: "/nowhere/ffmpeg",
    BACKUP_DIR: "",
    APP_URL: "https://localhost:1",
  },
  two: {
    SMTP_URL: settings.SMTP_URL.replace("right", "wrong"),
    FFMPEG_PATH: ffmpeg,
    REAL_FFMPEG: process.env.FFMPEG_PATH || "ffmpeg",
    BACKUP_DIR: folder,
    TRUST_PROXY: "2",
  },
  three: {
    BACKUP_DIR: "/nowhere",
    TRUST_PROXY: "0",
    CLOCK_SHIFT_MS: "-60000",
    NODE_OPTIONS: `--import=${pathToFileURL("tests/support/process/shifted-clock.mjs").href}`,
  },
  four: {
    SESSION_SECRET: "b4c1d3a9e8f7061524d3c2b1a0f9e8d7c6",
    DATA_DIR: folder,
    BACKUP_DIR: join(folder, "media"),
  },
};
const advised = new Map<keyof typeof BROKEN, ReturnType<typeof adviceByCheck>>();

test.each<[string, string, RegExp, keyof typeof BROKEN]>([
  ["mail", "a mail server that is away", /mail server in SMTP_URL.*ESOCKET/, "one"],
  ["mail", "a wrong password", /user and password.*EAUTH/, "two"],
  ["payments", "a missing webhook secret", /STRIPE_WEBHOOK_SECRET/, "one"],
  ["ffmpeg", "no ffmpeg", /install ffmpeg/, "one"],
  ["ffmpeg", "an ffmpeg without a codec and a filter", /lacks libx264, zscale: install/, "two"],
  ["backup", "no backups", /set BACKUP_DIR/, "one"],
  ["backup", "a folder without one", /no nightly backup in .* yet/, "two"],
  ["backup", "a folder that is gone", /no folder \/nowhere: create it/, "three"],
  ["backup", "a file in place of a folder", /is not a folder: correct BACKUP_DIR/, "four"],
  ["backup disk", "a folder that is gone", /BACKUP_DIR cannot be read/, "three"],
  ["clock", "a clock that is late", /differ by 60 s: .*NTP/, "three"],
  ["public address", "an address that leads nowhere", /cannot be reached/, "one"],
  [
    "media folder",
    "a file in place of the media folder",
    /^Nothing can be imported: .*media is not a folder/,
    "four",
  ],
  ["proxies", "a proxy too many in the settings", /set TRUST_PROXY=1/, "two"],
  ["proxies", "a proxy that nobody has set", /proxy in front of the site: set TRUST_PROXY=1/, "three"],
  ["proxies", "another secret", /SESSION_SECRET/, "four"],
])("%s: the doctor finds %s", async (name, _, advice, set) => {
  expect((await adviceInSet(set)).get(name)).toMatch(advice);
});

function adviceInSet(set: keyof typeof BROKEN) {
  const all = advised.get(set) ?? adviceByCheck(BROKEN[set]);
  advised.set(set, all);
  return all;
}

const onDisk = (calls: string) => ({
  REFUSED_CALLS: calls,
  NODE_OPTIONS: `--import=${pathToFileURL("tests/support/process/refusing-disk.mjs").href}`,
});

test("the doctor stores as the site does: it names the call that fails, and what a disk does without", async () => {
  await mkdir(join(config.dataDir, "media"), { recursive: true });
  const broken = await adviceByCheck(onDisk("rename=EROFS"));
  expect(broken.get("media folder")).toMatch(/^Nothing can be imported: .* \(rename: EROFS\)$/);
  expect(broken.get("backup")).toMatch(/^No backup can be written to BACKUP_DIR: .* \(rename: EROFS\)$/);
  const copies = await adviceByCheck(onDisk("copyfile=EIO"));
  expect(copies.get("media folder")).toMatch(/\(copyfile: EIO\)$/);
  const { checks } = await doctor(onDisk("chmod=EPERM fsync=EINVAL copyfile=ENOTSUP"));
  const found = new Map(checks.map((check) => [check.name, check]));
  expect(found.get("media folder")).toMatchObject({
    isOk: true,
    detail: "is writable; its disk has no modes of its own and no fsync for folders",
  });
  expect(found.get("backup")).toMatchObject({ isOk: true });
  expect((await readdir(join(config.dataDir, "media"))).filter((name) => name.startsWith("doctor"))).toEqual(
    [],
  );
});

test("the doctor finds a pooler's address, behind which announcements are lost", async () => {
  const proxy = await startChaosProxy(config.database.url ?? "");
  onTestFinished(() => proxy.stop());
  await proxy.turn("deaf");
  expect(await adviceOf("announcements", { DATABASE_URL: proxy.url })).toMatch(/direct address/);
});

test("the doctor compares the time zones of Node and the database", async () => {
  const timeZone = "Africa/Casablanca";
  const moments = Array.from({ length: 60 }, (_, week) => addDays(new Date(), 7 * week));
  const theirs = await readRows(
    db,
    text,
  )`SELECT to_char(moment AT TIME ZONE ${timeZone}::text, 'YYYY-MM-DD"T"HH24:MI')
    FROM unnest(${sql.param(`{${moments.map((moment) => moment.toISOString()).join()}}`)}::timestamptz[]) AS moment`;
  const areEqual = moments.every((moment, week) => toZoneTime(moment, timeZone) === theirs[week]);
  const checkOf = async (zone: string) =>
    (await doctor({ TIME_ZONE: zone })).checks.find(({ name }) => name === "time zone");
  const differing = /^Node.js and PostgreSQL have different times in Africa\/Casablanca on \d+ \w+ \d{4}/;
  expect(await checkOf(timeZone)).toMatchObject(
    areEqual ? { isOk: true } : { isOk: false, advice: expect.stringMatching(differing) },
  );
  expect(await checkOf("Europe/Kyiv")).toMatchObject({ isOk: true });
});

test("the doctor says only once that the site cannot be reached", async () => {
  const found = await adviceInSet("one");
  expect([...found.values()].filter((advice) => advice?.includes("cannot be reached"))).toHaveLength(1);
  expect([...found.keys()]).not.toContain("cookies");
});

test("the doctor finds an old backup, and a proxy that refuses the largest form of the studio", async () => {
  const old = new Date(Date.now() - 3 * 86_400_000);
  await utimes(backup, old, old);
  await withProxy({ maxBytes: BODY_LIMITS.itemFiles - 1 }, async () => {
    const found = await adviceByCheck();
    expect(found.get("backup")).toMatch(/3 days old/);
    expect(found.get("large forms")).toMatch(/refuses an item's photos of 64 MB: raise its limit to 100 MB/);
  });
  await withProxy({ maxBytes: 1_000_000 }, async () => {
    expect(await adviceOf("large forms")).toMatch(/refuses a form of 5 MB: raise its limit to 8 MB/);
  });
  await withProxy({ maxBytes: BODY_LIMITS.itemFiles }, async () => {
    expect(await adviceOf("large forms")).toBeUndefined();
  });
  await utimes(backup, new Date(), new Date());
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
      expect(await adviceOf("cookies")).toMatch(/No cookie arrives/);
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
      expect(await adviceOf("proxies", listed)).toMatch(
        /connects from 127\.0\.0\.1, which TRUST_PROXY does not name: set TRUST_PROXY=10\.9\.9\.9,127\.0\.0\.1,/,
      );
    });
  } finally {
    await site.stop();
  }
});

test("the doctor finds jobs that have waited long, and failed jobs", async () => {
  const add = (runAt: string) =>
    db.execute(sql`SELECT graphile_worker.add_job('send-mail', '{}', run_at => now() - ${runAt}::interval)`);
  await add("10 minutes");
  expect(await adviceOf("jobs")).toMatch(/waited for 10 minutes/);
  await db.execute(sql`UPDATE graphile_worker._private_jobs SET attempts = max_attempts`);
  expect(await adviceOf("jobs")).toMatch(/^1 job failed, .*npm run jobs:retry/);
  await db.execute(sql`DELETE FROM graphile_worker._private_jobs`);
});

test("the doctor finds an invoice that was paid after its subscription had ended, until it is refunded", async () => {
  await prepareOffer();
  const { subscription } = await begin({ status: "canceled", endedAt: inDays(-1) });
  const invoice = await bill(subscription, { createdAt: inDays(-5), paidAt: inDays(0) });
  expect(await adviceOf("subscriptions")).toMatch(/^1 invoice was paid after .*billing:reconcile/);
  await db.update(invoices).set({ amountRefunded: invoice.amountPaid });
  expect(await adviceOf("subscriptions")).toBeUndefined();
});

test("the doctor finds a site without a contact address, until the host or the owner sets one", async () => {
  const hosts = { CONTACT_EMAIL: "", OWNER_EMAIL: "me@home.example" };
  expect(await adviceOf("contact", hosts)).toMatch(/set CONTACT_EMAIL or .*\/studio\/settings/);
  expect(await adviceOf("contact")).toBeUndefined();
  const prepared = async () =>
    (await prepareDatabase(config.database.url ?? "", { isDemo: false })).hasStoredContact;
  expect(await prepared()).toBe(false);
  await db.execute(
    sql`INSERT INTO site_settings (name, value) VALUES ('site.contactEmail', '"owner@peony.example"')`,
  );
  expect(await adviceOf("contact", hosts)).toBeUndefined();
  expect(await prepared()).toBe(true);
  await db.execute(sql`UPDATE site_settings SET value = '""' WHERE name = 'site.contactEmail'`);
  expect(await adviceOf("contact", hosts)).toMatch(/^Nobody can write to you/);
  expect(await prepared()).toBe(false);
});

test("the doctor finds items for subscribers that nobody can buy, and wants no provider where all is free", async () => {
  const unsold = { STRIPE_SECRET_KEY: "", STRIPE_WEBHOOK_SECRET: "" };
  await createVideo({ access: "member" });
  expect(await adviceOf("payments", unsold)).toBeUndefined();
  await createVideo({ access: "subscriber" });
  expect(await adviceOf("payments", unsold)).toMatch(/Nothing can be bought/);
});

test("the doctor names the prices for which the page of plans has no room", async () => {
  await prepareOffer();
  const price = { productId: "prod_letters", currency: "usd", interval: "year", unitAmount: 20_000 } as const;
  const added = Array.from({ length: 11 }, (_, index) => ({ ...price, id: `price_${index + 10}` }));
  await db.insert(prices).values(added);
  expect(await adviceOf("plans")).toMatch(/room for 12 prices and leaves out price_20: archive/);
  await db.update(prices).set({ active: false }).where(eq(prices.id, "price_15"));
  expect(await adviceOf("plans")).toBeUndefined();
});

test("the doctor finds a database that is not migrated, of another encoding, or unreachable", async () => {
  const serverUrl = inject("serverUrl");
  const latin = serverUrl.replace(/[^/]*$/, `peony_${randomBytes(6).toString("hex")}`);
  await withConnection(serverUrl, (admin) =>
    admin.unsafe(
      `CREATE DATABASE ${new URL(latin).pathname.slice(1)} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`,
    ),
  );
  const found = await adviceByCheck({ DATABASE_URL: latin });
  expect(found.get("migrations")).toMatch(/\d+ are missing: run npm run db:migrate/);
  expect(found.get("database")).toMatch(/encoding is LATIN1: create the database again/);
  const unreachable = { DATABASE_URL: "postgres://peony:peony@127.0.0.1:1/peony" };
  const unanswered = await adviceByCheck(unreachable);
  expect(unanswered.get("database")).toMatch(/^The database at DATABASE_URL does not answer: start it/);
  expect([...unanswered.keys()]).not.toContain("migrations");
});

const isMounted =
  spawnSync("sh", ["-c", `mkdir ${smallDisk} && mount -t tmpfs -o size=16m none ${smallDisk}`]).status === 0;
afterAll(() => {
  if (isMounted) execFileSync("umount", ["--lazy", smallDisk]);
});

test.runIf(isMounted)("the doctor finds disks that are nearly full", async () => {
  await writeFile(join(smallDisk, "film.mp4"), Buffer.alloc(14e6));
  const found = await adviceByCheck({ DATA_DIR: smallDisk, BACKUP_DIR: smallDisk });
  expect(found.get("disk")).toMatch(/^Only \d[\d.]* (?:bytes|[kM]B) of \d[\d.]* MB .*DATA_DIR/);
  expect(found.get("backup disk")).toMatch(/^Only \d[\d.]* (?:bytes|[kM]B) .*BACKUP_KEEP/);
});
