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
import { startEmbedded } from "#db/server/embedded.ts";
import { findPostmaster } from "#db/server/postmaster.ts";
import { adultCookie } from "#tests/support/people.ts";
import { descendants, stillRunning } from "#tests/support/process/process-tree.ts";
import { isFullLength, reportFigures } from "./figures.ts";
import { startSupervised } from "./support/supervised-site.ts";

/** In each tenth round the whole site runs on the database; in the others, the database alone. */
const ROUNDS = isFullLength ? 50 : 2;
const SITE_ROUNDS = isFullLength ? 5 : 1;
const CLIENTS = 4;
const MEMBERS = 40;
const MEDIA = 50;
const MIN_RUN_MS = 200;
const MAX_RUN_MS = 3_000;
/** The database's own limit for recovering after a crash, and the one of the figures. */
const MAX_START_MS = isFullLength ? 10_000 : 20_000;

type Row = { userId: string; mediaId: string };

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
    const ids = await addMembersAndMedia(sql);
    for (const userId of ids.members) for (const mediaId of ids.media) rows.push({ userId, mediaId });
  });
  await database.stop();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("no acknowledged write is missing or there twice after the database or the whole site was killed", async () => {
  let longestStartMs = 0;
  let settings: Record<string, string> = {};
  const found = { missing: 0, twice: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round < SITE_ROUNDS) await killSite(round);
    else await killDatabase();
    const startedAt = performance.now();
    const database = await startEmbedded(folder);
    longestStartMs = Math.max(longestStartMs, performance.now() - startedAt);
    await withConnection(database.url, async (sql) => {
      found.missing += await countMissing(sql);
      const twice = await sql`SELECT 1 FROM favorites GROUP BY user_id, media_id HAVING count(*) > 1`;
      found.twice += twice.length;
      settings = await readSettings(sql);
    });
    await database.stop();
  }
  reportFigures("X2", {
    rounds: { is: ROUNDS, exactly: ROUNDS },
    acknowledged: { is: acknowledged.length, atLeast: ROUNDS * 10 },
    missing: { is: found.missing, exactly: 0 },
    duplicates: { is: found.twice, exactly: 0 },
    longestStartMs: { is: Math.round(longestStartMs), atMost: MAX_START_MS },
    durableSettingsOn: { is: Object.values(settings).filter((value) => value === "on").length, exactly: 3 },
  });
}, 900_000);

/** Ends the server at once, as pg_ctl -m immediate does, while clients write. */
async function killDatabase(): Promise<void> {
  const database = await startEmbedded(folder);
  const sql = postgres(database.url, { max: CLIENTS, onnotice: () => {}, connect_timeout: 1 });
  const writers = startWriters(async ({ userId, mediaId }) => {
    await sql`INSERT INTO favorites (user_id, media_id) VALUES (${userId}, ${mediaId})`;
    return true;
  });
  await sleep(randomRunMs());
  const signal = Math.random() < 0.5 ? "SIGQUIT" : "SIGKILL";
  process.kill((await findPostmaster(databaseDir))?.pid ?? 0, signal);
  await database.untilEnded();
  await writers.stop();
  await sql.end({ timeout: 0 });
  await database.stop();
}

/** Kills the supervisor alone in one round and its whole process group in the next; the start finds either. */
async function killSite(round: number): Promise<void> {
  const site = await startSupervised({ DATA_DIR: folder, DATABASE_URL: undefined });
  const started = descendants(site.process.pid ?? 0);
  const origin = site.origin;
  const writers = startWriters(async ({ userId, mediaId }) => {
    const response = await fetch(`${origin}${paths.api.favorites()}`, {
      method: "POST",
      redirect: "manual",
      headers: { cookie: cookies.get(userId) ?? "", origin },
      body: new URLSearchParams({ mediaId, next: "/" }),
    });
    return response.status === 303;
  });
  await sleep(randomRunMs());
  const pid = site.process.pid ?? 0;
  const exited = once(site.process, "exit");
  process.kill(round % 2 === 0 ? pid : -pid, "SIGKILL");
  await exited;
  await writers.stop();
  if (round % 2 === 0) {
    const again = await startSupervised({ DATA_DIR: folder, DATABASE_URL: undefined });
    again.process.kill("SIGTERM");
    expect(await again.ended()).toBe(0);
  }
  await expect.poll(() => stillRunning(started), { timeout: 60_000 }).toEqual([]);
}

/** Clients that log each row whose write was acknowledged, until stopped; a failed write ends its client. */
function startWriters(write: (row: Row) => Promise<boolean>) {
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      const row = rows[nextRow];
      nextRow += 1;
      if (row === undefined) return;
      const isAcknowledged = await write(row).catch(() => null);
      if (isAcknowledged === null) return;
      if (isAcknowledged) acknowledged.push(row);
      // The rows suffice for all rounds.
      await sleep(20);
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

async function countMissing(sql: postgres.Sql): Promise<number> {
  const kept = await sql<Row[]>`SELECT user_id AS "userId", media_id AS "mediaId" FROM favorites`;
  const keys = new Set(kept.map(({ userId, mediaId }) => `${userId} ${mediaId}`));
  return acknowledged.filter(({ userId, mediaId }) => !keys.has(`${userId} ${mediaId}`)).length;
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
    const names = { title: `Film ${index}`, slug: `film-${index}`, shortId: id.slice(0, 8) };
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

function randomRunMs(): number {
  return MIN_RUN_MS + Math.random() * (MAX_RUN_MS - MIN_RUN_MS) * (isFullLength ? 1 : 0.3);
}
