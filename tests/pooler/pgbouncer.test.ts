import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { config } from "#app/config.server.ts";
import { withImportLock } from "#app/domain/catalog/import/import-lock.server.ts";
import { paths } from "#app/paths.ts";
import { GuardedPool, type PoolOptions } from "#db/adapter/guarded-pool.ts";
import { isStatementTimeout } from "#db/adapter/unreachable.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { explain } from "#scripts/command/explain.ts";
import { checkAddresses } from "#scripts/supervisor/check-addresses.ts";
import { requestSignIn } from "#tests/support/auth/sign-in.ts";
import { cloneDatabase } from "#tests/support/database/clone-database.ts";
import { type PgBouncer, startPgBouncer } from "#tests/support/database/pgbouncer.ts";
import { startStatementCounter } from "#tests/support/database/statement-counter.ts";
import { followLive, untilListening } from "#tests/support/live/live-reader.ts";
import { createVideo } from "#tests/support/media.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";

const direct = config.database.url ?? "";
const STATEMENT_MS = 2_000;

let pgbouncer: PgBouncer;
const pools: GuardedPool[] = [];

beforeAll(async () => {
  await buildWhenStale();
  pgbouncer = await startPgBouncer(direct);
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end(0)));
  await pgbouncer.stop();
});

function open(given: Partial<PoolOptions> = {}) {
  const pool = new GuardedPool({
    ...{ url: pgbouncer.url, isPooled: true, connections: 8, statementMs: STATEMENT_MS },
    ...given,
  });
  pools.push(pool);
  return drizzle(pool as unknown as postgres.Sql);
}

test("every statement of many at once has its answer, and nothing is prepared by name", async () => {
  const db = open({ preparedStatements: 200 });
  const numbers = Array.from({ length: 200 }, (_, index) => index);
  const answers = await Promise.all(
    numbers.map(async (number) => {
      if (number % 10 > 0) return (await db.execute<{ n: number }>(sql`SELECT ${number}::int AS n`))[0]?.n;
      return db.transaction(async (tx) => {
        await tx.execute(sql`SELECT ${number}::text`);
        return (await tx.execute<{ n: number }>(sql`SELECT ${number}::int AS n`))[0]?.n;
      });
    }),
  );
  expect(answers).toEqual(numbers);
  const prepared = await Promise.all(
    numbers.map(() => db.execute<{ name: string }>(sql`SELECT name FROM pg_prepared_statements`)),
  );
  expect(prepared.flat()).toEqual([]);
});

test("a statement and a transaction have the limits of their pool, and leave none behind", async () => {
  const shown = sql`SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
    current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('jit') AS jit,
    current_setting('datestyle') AS dates`;
  const ofPages = { statement: "2s", lock: "2s", idle: "5s", jit: "off" };
  const [pages, searches] = [open(), open({ statementMs: 500 })];
  expect((await pages.execute(shown))[0]).toMatchObject(ofPages);
  expect((await pages.transaction((tx) => tx.execute(shown)))[0]).toMatchObject(ofPages);
  expect((await searches.execute(shown))[0]).toMatchObject({ statement: "500ms", idle: "1250ms" });
  expect((await pages.execute(shown))[0]?.dates).toMatch(/^ISO/);

  const slow = await searches.execute(sql`SELECT pg_sleep(30)`).then(
    () => null,
    (error) => error,
  );
  expect(isStatementTimeout(slow)).toBe(true);
  const plain = postgres(pgbouncer.url, { max: 4, prepare: false });
  const left = await Promise.all(Array.from({ length: 20 }, () => plain.unsafe("SHOW statement_timeout")));
  await plain.end();
  expect(new Set(left.map(([row]) => row?.statement_timeout))).toEqual(new Set(["0"]));
});

test("a statement is four messages in four round trips", async () => {
  const counter = await startStatementCounter(pgbouncer.url, { answerDelayMs: 60 });
  onTestFinished(() => counter.stop());
  const db = open({ url: counter.url, connections: 1 });
  await db.execute(sql`SELECT ${1}::int`);
  counter.take();
  await db.execute(sql`SELECT ${1}::int`);
  expect(counter.take()).toEqual({ statements: 4, roundTrips: 4 });
});

test("counts are written even where transactions are read-only by default", async () => {
  const url = new URL(await cloneDatabase(inject("serverUrl")));
  const admin = postgres(url.href, { max: 1, onnotice: () => {} });
  await admin`CREATE TABLE counted (n int)`;
  await admin.unsafe(`ALTER DATABASE ${url.pathname.slice(1)} SET default_transaction_read_only = on`);
  await admin.end();
  url.port = new URL(pgbouncer.url).port;
  const count = sql`INSERT INTO counted VALUES (1) RETURNING n`;
  expect(await open({ url: url.href, writesAlways: true }).execute(count)).toHaveLength(1);
  await expect(open({ url: url.href }).execute(count)).rejects.toMatchObject({ cause: { code: "25006" } });
});

test("the start and the doctor refuse addresses that do not lead where they have to", async () => {
  const other = await cloneDatabase(inject("serverUrl"));
  const refusal = (url: string, directUrl: string) =>
    checkAddresses(url, directUrl).then(() => null, explain);
  expect(await refusal(direct, direct)).toBe(null);
  expect(await refusal(pgbouncer.url, direct)).toBe(null);
  expect(await refusal(pgbouncer.url, pgbouncer.url)).toMatch(
    /^DATABASE_URL leads to a pooler.*: set DATABASE_DIRECT_URL to the server's own, direct address/,
  );
  expect(await refusal(`${pgbouncer.url}?application_name=site`, pgbouncer.url)).toMatch(
    /^DATABASE_DIRECT_URL leads to a pooler.*: set it to the server's own, direct address\.$/,
  );
  expect(await refusal(pgbouncer.url, other)).toMatch(/^DATABASE_URL and DATABASE_DIRECT_URL lead to two/);
  const nowhere = new URL(direct);
  nowhere.port = "1";
  expect(await refusal(pgbouncer.url, nowhere.href)).toMatch(
    /^The database at DATABASE_DIRECT_URL does not answer/,
  );
});

test("a pooler that takes turns among its connections is found, too", async () => {
  const turning = await startPgBouncer(direct, "server_round_robin = 1");
  onTestFinished(() => turning.stop());
  const db = open({ url: turning.url, connections: 2 });
  await Promise.all([1, 2].map(() => db.execute(sql`SELECT pg_sleep(0.3)`)));
  await expect(checkAddresses(turning.url, turning.url)).rejects.toThrow(/leads to a pooler/);
});

test("a busy pooler is found, too", async () => {
  const db = open();
  const busy = Array.from({ length: 8 }, async () => {
    for (let left = 20; left > 0; left -= 1) await db.execute(sql`SELECT pg_sleep(${Math.random() / 20})`);
  });
  await expect(checkAddresses(pgbouncer.url, pgbouncer.url)).rejects.toThrow(/leads to a pooler/);
  await Promise.all(busy);
});

test("people sign in, see a page and hear about changes through the pooler", async () => {
  const site = await startSite({ databaseUrl: pgbouncer.url, env: { DATABASE_DIRECT_URL: direct } });
  onTestFinished(() => site.stop());
  const asked = await requestSignIn(site, "reader@example.com");
  expect((await asked.visit(paths.signInCode())).status).toBe(200);
  const video = await createVideo({ access: "free" });
  const { id } = await createMember();
  const cookie = await signedInCookie(id);
  const page = await site.fetch(`/content/video/${video.slug}`, { headers: { cookie } });
  expect(await page.text()).toContain(video.title);
  expect(page.status).toBe(200);

  await untilListening(site);
  const reader = await followLive(site, await signedInCookie(id));
  const saved = await site.fetch(paths.api.views(), {
    method: "POST",
    headers: { cookie, "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ mediaId: video.id, progress: "60" }),
  });
  expect(saved.status).toBe(200);
  await expect.poll(() => reader.events.join()).toContain(video.id);
  reader.close();
});

test("imports lock one another out on the direct address", async () => {
  config.database.url = pgbouncer.url;
  expect(await withImportLock(async () => withImportLock(async () => "second"))).toBe("busy");
  expect(await withImportLock(async () => "later")).toBe("later");
});
