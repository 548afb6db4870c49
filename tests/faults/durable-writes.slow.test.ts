import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashSecret } from "#app/domain/auth/secrets.server.ts";
import { paths } from "#app/paths.ts";
import { sessionCookie } from "#app/web/session/session-cookie.server.ts";
import { withConnection } from "#db/connection.ts";
import { migrateDatabase } from "#db/migrations/migrate.ts";
import { sessions, users } from "#db/schema/auth.ts";
import { media } from "#db/schema/catalog.ts";
import { type EmbeddedDatabase, startEmbedded } from "#db/server/embedded.ts";
import { findPostmaster } from "#db/server/postmaster.ts";
import { adultCookie } from "#tests/support/people.ts";
import { descendants, stillRunning } from "#tests/support/process/process-tree.ts";
import { expectFigures } from "./support/figures.ts";
import { startSupervised } from "./support/supervised-site.ts";

/** In the first rounds the whole site runs on the database; in the others, the database alone. */
const ROUNDS = 2;
const SITE_ROUNDS = 1;
/** The first site round of so many kills the supervisor alone, the others its whole process group. */
const SUPERVISOR_EVERY = 4;
const CLIENTS = 4;
/** Each may add sixty favorites a minute; together they suffice for all rounds. */
const MEMBERS = 40;
const MEDIA = 50;
/** A busy machine acknowledges nothing in the shortest run. */
const MIN_WRITES = 10;
const MIN_RUN_MS = 200;
const MAX_RUN_MS = 3_000;
/** The database's own limit for recovering after a crash, and the one of the figures. */
const MAX_START_MS = 20_000;

interface Row {
  userId: string;
  mediaId: string;
  isBySite?: boolean;
}

const folder = await mkdtemp(join(tmpdir(), "peony-durable-"));
const databaseDir = join(folder, "postgres");
const rows: Row[] = [];
const cookies = new Map<string, string>();
const acknowledged: Row[] = [];
let nextRow = 0;

beforeAll(async () => {
  const database = await startEmbedded(folder);
  await migrateDatabase(database.adminUrl);
  await withConnection(database.adminUrl, async (sql) => {
    await sql`INSERT INTO site_settings (name, value) VALUES ('demo', 'true')`;
    // Nothing unique here, so that a write that was done twice is seen.
    await sql`CREATE TABLE entries (user_id uuid NOT NULL, media_id uuid NOT NULL)`;
    const ids = await addMembersAndMedia(sql);
    for (const userId of ids.members) for (const mediaId of ids.media) rows.push({ userId, mediaId });
  });
  await database.stop();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("no acknowledged write is missing or there twice after the database or the whole site was killed", async () => {
  let longestStartMs = 0;
  let settings: Record<string, string> = {};
  const found = { missing: 0, twice: 0, halves: 0 };
  const killed = { site: 0, database: 0 };
  let running: EmbeddedDatabase | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round < SITE_ROUNDS) {
      await killSite(round);
      killed.site += 1;
    } else {
      await killDatabase(running ?? (await startEmbedded(folder)));
      killed.database += 1;
    }
    const startedAt = performance.now();
    const database = await startEmbedded(folder);
    longestStartMs = Math.max(longestStartMs, performance.now() - startedAt);
    await withConnection(database.url, async (sql) => {
      const { missing, twice, halves } = await countFaults(sql);
      found.missing += missing;
      found.twice += twice;
      found.halves += halves;
      settings = await readSettings(sql);
    });
    // A site starts the database itself; the next round on the database alone goes on with this server.
    running = round + 1 < SITE_ROUNDS ? undefined : database;
    if (!running) await database.stop();
  }
  await running?.stop();
  expectFigures({
    killedSites: { is: killed.site, exactly: SITE_ROUNDS },
    killedDatabases: { is: killed.database, exactly: ROUNDS - SITE_ROUNDS },
    acknowledged: { is: acknowledged.length, atLeast: ROUNDS * MIN_WRITES },
    missing: { is: found.missing, exactly: 0 },
    duplicates: { is: found.twice, exactly: 0 },
    halfWrites: { is: found.halves, exactly: 0 },
    longestStartMs: { is: Math.round(longestStartMs), atMost: MAX_START_MS },
    durableSettingsOn: { is: Object.values(settings).filter((value) => value === "on").length, exactly: 3 },
  });
}, 900_000);

/** Ends the server at once, as pg_ctl -m immediate does, while clients write. */
async function killDatabase(database: EmbeddedDatabase): Promise<void> {
  const sql = postgres(database.url, { max: CLIENTS, onnotice: () => {}, connect_timeout: 1 });
  const writers = startWriters(async (row) => {
    const { userId, mediaId } = row;
    row.isBySite = false;
    await sql`WITH entry AS (INSERT INTO entries VALUES (${userId}, ${mediaId}))
      INSERT INTO favorites (user_id, media_id) VALUES (${userId}, ${mediaId})`;
    return true;
  });
  await sleep(randomRunMs());
  await writers.haveWritten();
  const signal = Math.random() < 0.5 ? "SIGQUIT" : "SIGKILL";
  process.kill((await findPostmaster(databaseDir))?.pid ?? 0, signal);
  await database.untilEnded();
  await writers.stop();
  await sql.end({ timeout: 0 });
  await database.stop();
}

/** Kills the supervisor alone or its whole process group; the next start finds either. */
async function killSite(round: number): Promise<void> {
  const isAlone = round % SUPERVISOR_EVERY === 0;
  const site = await startSupervised({ DATA_DIR: folder, DATABASE_URL: undefined });
  const started = descendants(site.process.pid ?? 0);
  const origin = site.origin;
  const writers = startWriters(async (row) => {
    const { userId, mediaId } = row;
    row.isBySite = true;
    const response = await fetch(`${origin}${paths.api.favorites()}`, {
      method: "POST",
      redirect: "manual",
      headers: { cookie: cookies.get(userId) ?? "", origin },
      body: new URLSearchParams({ mediaId, next: "/" }),
    });
    return response.status === 303;
  });
  await sleep(randomRunMs());
  await writers.haveWritten();
  const pid = site.process.pid ?? 0;
  const exited = once(site.process, "exit");
  process.kill(isAlone ? pid : -pid, "SIGKILL");
  await exited;
  await writers.stop();
  if (isAlone) {
    const again = await startSupervised({ DATA_DIR: folder, DATABASE_URL: undefined });
    again.process.kill("SIGTERM");
    expect(await again.ended()).toBe(0);
  }
  await expect.poll(() => stillRunning(started), { timeout: 60_000 }).toEqual([]);
}

/** Clients that log each row whose write was acknowledged, until stopped; a failed write ends its client. */
function startWriters(write: (row: Row) => Promise<boolean>) {
  let isOver = false;
  const enough = acknowledged.length + MIN_WRITES;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      const row = rows[nextRow];
      nextRow += 1;
      if (row === undefined) return;
      const isAcknowledged = await write(row).catch(() => null);
      if (isAcknowledged === null) return;
      if (isAcknowledged) acknowledged.push(row);
      await sleep(20);
    }
  });
  return {
    async haveWritten() {
      await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(enough);
    },
    async stop() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

/** Writes that were acknowledged and are missing, those that are there twice, and those of which only a half is. */
async function countFaults(sql: postgres.Sql) {
  const favorites = new Set(await keysIn(sql, "favorites"));
  const entries = await keysIn(sql, "entries");
  const entered = new Set(entries);
  // A site writes no entries.
  const tried = rows.slice(0, nextRow).filter(({ isBySite }) => isBySite === false);
  return {
    missing: acknowledged.filter((row) => !favorites.has(keyOf(row))).length,
    twice: entries.length - entered.size,
    halves: tried.filter((row) => favorites.has(keyOf(row)) !== entered.has(keyOf(row))).length,
  };
}

async function keysIn(sql: postgres.Sql, table: "favorites" | "entries"): Promise<string[]> {
  return (await sql<Row[]>`SELECT user_id AS "userId", media_id AS "mediaId" FROM ${sql(table)}`).map(keyOf);
}

function keyOf({ userId, mediaId }: Row): string {
  return `${userId} ${mediaId}`;
}

async function readSettings(sql: postgres.Sql): Promise<Record<string, string>> {
  const settings = await sql`SELECT name, setting FROM pg_settings
    WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes')`;
  return Object.fromEntries(settings.map(({ name, setting }) => [name, setting]));
}

async function addMembersAndMedia(sql: postgres.Sql) {
  const database = drizzle(sql);
  const added = { members: [] as string[], media: [] as string[] };
  for (let index = 0; index < MEDIA; index += 1) {
    const id = randomUUID();
    const names = {
      publishAt: new Date(),
      title: `Film ${index}`,
      slug: `film-${index}`,
      shortId: id.slice(0, 8),
    };
    await database.insert(media).values({ id, type: "video", status: "published", access: "free", ...names });
    added.media.push(id);
  }
  for (let index = 0; index < MEMBERS; index += 1) {
    const [user] = await database
      .insert(users)
      .values({ email: `member-${index}@example.com` })
      .returning({ id: users.id });
    const token = randomBytes(32).toString("hex");
    const expiresAt = new Date(Date.now() + 3_600_000);
    const userId = user?.id ?? "";
    await database
      .insert(sessions)
      .values({ tokenHash: hashSecret(token), userId, expiresAt, device: "Test" });
    const [pair = ""] = (await sessionCookie.serialize(token)).split(";");
    cookies.set(userId, `${await adultCookie()}; ${pair}`);
    added.members.push(userId);
  }
  return added;
}

/** Short runs more often than long ones, so that fifty take a minute. */
function randomRunMs(): number {
  const part = Math.random() * 0.3;
  return MIN_RUN_MS + part * (MAX_RUN_MS - MIN_RUN_MS);
}
