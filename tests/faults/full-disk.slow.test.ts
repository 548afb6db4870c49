import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { afterAll, expect, test } from "vitest";
import { hashSecret } from "#app/domain/auth/secrets.server.ts";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { paths } from "#app/paths.ts";
import { sessionCookie } from "#app/web/session/session-cookie.server.ts";
import { withConnection } from "#db/connection.ts";
import { migrateDatabase } from "#db/migrations/migrate.ts";
import { sessions, users } from "#db/schema/auth.ts";
import { media } from "#db/schema/catalog.ts";
import { mediaFiles } from "#db/schema/catalog-files.ts";
import { startEmbedded } from "#db/server/embedded.ts";
import { adultCookie } from "#tests/support/people.ts";
import { expectFigures } from "./support/figures.ts";
import { type SupervisedSite, startSupervised } from "./support/supervised-site.ts";

const DISK = "size=256m,mode=700";
const FILE = Buffer.alloc(1024 * 1024, 7);
const READS = 10;
/** More than the segments of its log that a new database has. */
const MAX_LOG_MB = 100;
/** A slow machine has the supervisor's own limits in the short form. */
const MAX_RECOVERY_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), "peony-full-disk-"));
const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", DISK, "none", folder]).status === 0;
const ballast = join(folder, "ballast");
afterAll(() => {
  if (isMounted) execFileSync("umount", ["--lazy", folder]);
  rmSync(folder, { recursive: true, force: true });
});

test.skipIf(!isMounted)(
  "a site whose disk is full still serves, ends with a reason, and recovers",
  async () => {
    const { cookie, mediaId, path } = await fill();
    const settings = { DATA_DIR: folder, DATABASE_URL: undefined };
    const site = await startSupervised(settings);
    expect(await statusOf(site, path, cookie)).toBe(200);
    expect(await addFavorite(site, cookie, mediaId)).toBe(303);

    spawnSync("dd", ["if=/dev/zero", `of=${ballast}`, "bs=64k"], { stdio: "ignore" });
    const { bavail: freeBlocks } = await statfs(folder);
    const reads = [];
    for (let count = 0; count < READS; count += 1) reads.push(await statusOf(site, path, cookie));
    const ended = site.ended();
    await useUpLog();
    const exitCode = await ended;

    rmSync(ballast);
    const startedAt = Date.now();
    const again = await startSupervised(settings);
    const recoveredMs = Date.now() - startedAt;
    const { url } = await startEmbedded(folder);
    const tables = await readAll(url);
    const kept = await withConnection(url, (sql) => sql`SELECT 1 FROM favorites WHERE media_id = ${mediaId}`);
    const statusAfter = await statusOf(again, path, cookie);
    again.process.kill("SIGTERM");
    await again.ended();
    expectFigures({
      freeBlocks: { is: freeBlocks, exactly: 0 },
      readsAnswered: { is: reads.filter((status) => status === 200).length, exactly: READS },
      exitCode: { is: exitCode ?? -1, exactly: 1 },
      saysWhy: { is: Number(/No space left on device/.test(site.output())), exactly: 1 },
      recoveredMs: { is: recoveredMs, atMost: MAX_RECOVERY_MS },
      servesAfterwards: { is: statusAfter, exactly: 200 },
      acknowledgedWriteKept: { is: kept.length, exactly: 1 },
      unreadableTables: { is: tables.unreadable, exactly: 0 },
      tablesRead: { is: tables.read, atLeast: 20 },
    });
  },
  600_000,
);

/** A site with a member and a file in the built-in database. */
async function fill() {
  const database = await startEmbedded(folder);
  await migrateDatabase(database.adminUrl);
  const token = randomBytes(32).toString("hex");
  const filled = await withConnection(database.adminUrl, async (sql) => {
    await sql`INSERT INTO site_settings (name, value) VALUES ('demo', 'true')`;
    const rows = drizzle(sql);
    const titles = { publishAt: new Date(), title: "Slow water", slug: "slow-water", shortId: "12345678" };
    const [item] = await rows
      .insert(media)
      .values({ type: "video", status: "published", access: "free", ...titles })
      .returning({ id: media.id });
    const mediaId = item?.id ?? "";
    const storageKey = `media/${mediaId}/video-720.mp4`;
    const stored = await localStorage(join(folder, "media")).put(storageKey, FILE);
    const file = { name: "video-720.mp4", contentType: "video/mp4", needs: "view" as const };
    await rows.insert(mediaFiles).values({ mediaId, storageKey, ...file, ...stored });
    const [user] = await rows.insert(users).values({ email: "reader@example.com" }).returning();
    const expiresAt = new Date(Date.now() + 3_600_000);
    await rows
      .insert(sessions)
      .values({ tokenHash: hashSecret(token), userId: user?.id ?? "", expiresAt, device: "Test" });
    return { mediaId, path: `/media/${mediaId}/video-720.mp4` };
  });
  await database.stop();
  const [pair = ""] = (await sessionCookie.serialize(token)).split(";");
  return { ...filled, cookie: `${await adultCookie()}; ${pair}` };
}

async function statusOf(site: SupervisedSite, path: string, cookie: string): Promise<number> {
  const response = await fetch(`${site.origin}${path}`, { headers: { cookie }, redirect: "manual" });
  await response.arrayBuffer();
  return response.status;
}

async function addFavorite(site: SupervisedSite, cookie: string, mediaId: string): Promise<number> {
  const response = await fetch(`${site.origin}${paths.api.favorites()}`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, origin: site.origin },
    body: new URLSearchParams({ mediaId, next: "/" }),
  });
  return response.status;
}

/** Makes PostgreSQL need new files for its log, until it cannot make one. */
async function useUpLog(): Promise<void> {
  const { adminUrl } = await startEmbedded(folder);
  await withConnection(adminUrl, async (sql) => {
    for (let count = 0; count < MAX_LOG_MB; count += 1) {
      await sql`SELECT pg_logical_emit_message(true, 'filler', repeat('x', 1048576))`;
    }
  }).catch(() => {});
}

async function readAll(url: string): Promise<{ read: number; unreadable: number }> {
  return withConnection(url, async (sql) => {
    const tables = await sql`SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname IN ('public', 'graphile_worker') AND has_table_privilege(format('%I.%I', schemaname, tablename), 'SELECT')`;
    const results = [];
    for (const { name } of tables) {
      results.push(
        await sql.unsafe(`SELECT count(t::text) FROM ${name} t`).then(
          () => true,
          () => false,
        ),
      );
    }
    return { read: results.length, unreadable: results.filter((isRead) => !isRead).length };
  });
}
