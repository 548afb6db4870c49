import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { GuardedPool } from "#db/adapter/guarded-pool.ts";
import { isDatabaseUnreachable, isStatementTimeout } from "#db/adapter/unreachable.ts";
import { type ChaosProxy, startChaosProxy, type Weather } from "#tests/support/chaos-proxy.ts";

const DATABASE_URL = process.env.DATABASE_URL ?? "";
const STATEMENT_MS = 500;
/** The longest wait of a caller: the statement's own limit and the pool's margin. */
const MAX_WAIT_MS = STATEMENT_MS + 700;

let admin: postgres.Sql;
let proxy: ChaosProxy;
const pools: GuardedPool[] = [];

beforeAll(async () => {
  admin = postgres(DATABASE_URL, { max: 2, onnotice: () => {} });
  await admin`CREATE TABLE entries (id serial PRIMARY KEY, name text NOT NULL)`;
  proxy = await startChaosProxy(DATABASE_URL);
});
beforeEach(async () => {
  await proxy.turn("pass");
  await admin`TRUNCATE entries`;
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end(0)));
  await proxy.stop();
  await admin.end();
});

function open({ url = proxy.url, connections = 4 } = {}) {
  const pool = new GuardedPool({ url, connections, statementMs: STATEMENT_MS });
  pools.push(pool);
  return drizzle(pool as unknown as postgres.Sql);
}
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const count = async () => (await admin<{ n: number }[]>`SELECT count(*)::int AS n FROM entries`)[0]?.n;

async function outcome(work: PromiseLike<unknown>): Promise<{ error: unknown; milliseconds: number }> {
  const startedAt = performance.now();
  const error: unknown = await Promise.resolve(work).then(
    () => null,
    (reason) => reason,
  );
  return { error, milliseconds: performance.now() - startedAt };
}

/** In milliseconds: what the same work takes in this run while nothing is wrong. */
async function slowestOf(count: number, work: () => Promise<{ milliseconds: number }>): Promise<number> {
  const outcomes = await Promise.all(Array.from({ length: count }, work));
  return Math.max(...outcomes.map(({ milliseconds }) => milliseconds));
}

test("a backend killed inside a transaction leaves nothing behind, wherever it was killed", async () => {
  const db = open({ url: DATABASE_URL });
  let refused = 0;
  for (let round = 0; round < 60; round++) {
    const { error } = await outcome(
      db.transaction(async (tx) => {
        const [row] = await tx.execute<{ pid: number }>("SELECT pg_backend_pid() AS pid");
        await tx.execute(`INSERT INTO entries (name) VALUES ('first ${round}')`);
        const killed = admin`SELECT pg_terminate_backend(${row?.pid ?? 0})`;
        // A transaction should never await anything else. Here it does, so that the loss is noticed at different
        // points.
        if (round % 3 === 0) await killed;
        await pause(round % 7);
        await tx.execute(`INSERT INTO entries (name) VALUES ('second ${round}')`);
        await killed;
        await pause(round % 5);
        await tx.execute(`INSERT INTO entries (name) VALUES ('third ${round}')`);
      }),
    );
    if (error !== null) refused++;
  }
  expect(refused).toBe(60);
  expect(await count()).toBe(0);
});

test("code that continues after its transaction was lost writes nothing, not even in a savepoint", async () => {
  const db = open({ url: DATABASE_URL, connections: 1 });
  let late: unknown = null;
  const ends: Promise<void>[] = [];
  const { error } = await outcome(
    db.transaction((tx) => {
      const body = (async () => {
        const [row] = await tx.execute<{ pid: number }>("SELECT pg_backend_pid() AS pid");
        await admin`SELECT pg_terminate_backend(${row?.pid ?? 0})`;
        await pause(100);
        const nested = tx.transaction((inner) => inner.execute("INSERT INTO entries (name) VALUES ('x')"));
        late = (await outcome(nested)).error;
        await outcome(tx.execute("INSERT INTO entries (name) VALUES ('y')"));
      })();
      ends.push(body);
      return body;
    }),
  );
  await Promise.all(ends);
  expect(isDatabaseUnreachable(error)).toBe(true);
  expect(isDatabaseUnreachable(late)).toBe(true);
  expect(await count()).toBe(0);
});

test.each(["refuse", "hang", "greet-and-close"] as Weather[])(
  "during the fault %s nobody waits for long, few try, and the pool recovers by itself",
  async (weather) => {
    const db = open();
    const usual = await slowestOf(30, () => outcome(db.execute("SELECT 1")));
    await proxy.turn(weather);
    const before = proxy.connections();
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => outcome(db.execute("SELECT 1"))));
    for (const { error, milliseconds } of outcomes) {
      expect(isDatabaseUnreachable(error), String(error)).toBe(true);
      expect(milliseconds).toBeLessThan(MAX_WAIT_MS + 3 * usual);
    }
    const again = await outcome(db.execute("SELECT 1"));
    expect(isDatabaseUnreachable(again.error)).toBe(true);
    expect(again.milliseconds).toBeLessThan(MAX_WAIT_MS + 3 * usual);
    expect(proxy.connections() - before).toBeLessThan(20);

    await proxy.turn("pass");
    await expect
      .poll(async () => (await outcome(db.execute("SELECT 1"))).error, { timeout: 8_000 })
      .toBeNull();
    await db.transaction((tx) => tx.execute("INSERT INTO entries (name) VALUES ('after')"));
    expect(await count()).toBe(1);
  },
);

test("a statement that takes too long is canceled on the server, and the others continue", async () => {
  const db = open({ url: DATABASE_URL });
  // Connecting takes time on a busy computer and would distort the measurement.
  await Promise.all([db.execute("SELECT 1"), db.execute("SELECT 1")]);
  const [slow, quick] = await Promise.all([
    outcome(db.execute("SELECT pg_sleep(30) /* slow one */")),
    outcome(db.execute("SELECT 1")),
  ]);
  expect(isStatementTimeout(slow.error)).toBe(true);
  expect(quick.error).toBeNull();
  const running = await admin`SELECT FROM pg_stat_activity WHERE query LIKE '%slow one%' AND state = 'active'
    AND pid <> pg_backend_pid()`;
  expect(running).toHaveLength(0);
});

test("a statement that waits too long for a busy pool is refused, and not run later", async () => {
  const db = open({ url: DATABASE_URL, connections: 1 });
  const busy = Array.from({ length: 6 }, () => outcome(db.execute("SELECT pg_sleep(0.4)")));
  const late = await outcome(db.execute("INSERT INTO entries (name) VALUES ('too late')"));
  expect(isDatabaseUnreachable(late.error)).toBe(true);
  await Promise.all(busy);
  await pause(500);
  expect(await count()).toBe(0);
});

test("an error of the database itself reaches the caller unchanged", async () => {
  const db = open({ url: DATABASE_URL });
  const { error } = await outcome(db.execute("SELECT * FROM nothing_of_this_name"));
  expect((error as Error).cause).toMatchObject({ code: "42P01" });
  expect(isDatabaseUnreachable(error)).toBe(false);
});
