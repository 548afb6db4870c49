import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, test, vi } from "vitest";
import { expectFigures } from "./support/figures.ts";

// The site's own limit, not the longer one of the other tests.
vi.hoisted(() => {
  process.env.DATABASE_TIMEOUT_MS = "2000";
});
const { closeDatabase, db } = await import("#db/client.server.ts");

const WORKERS = 20;
const KILLS = 12;
const KILL_EVERY_MS = 250;
const MAX_PENDING_MS = 5_000;
const MAX_GAP_MS = 40;
const RETRY_MS = 10;
const ACCOUNTS = 40;
const BALANCE = 1_000;

let admin: postgres.Sql;

beforeAll(async () => {
  admin = postgres(process.env.DATABASE_URL ?? "", {
    max: 1,
    onnotice: () => {},
    connection: { application_name: "killer" },
  });
  await admin`CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL)`;
  await admin`CREATE TABLE entries (transfer uuid NOT NULL, account int NOT NULL, amount int NOT NULL)`;
  await admin`INSERT INTO accounts SELECT id, ${BALANCE} FROM generate_series(1, ${ACCOUNTS}) AS id`;
});
afterAll(async () => {
  await closeDatabase();
  await admin.end();
});

test("killed backends leave no part of a transaction behind, and nobody waits for long", async () => {
  const committed: string[] = [];
  let lost = 0;
  let longestMs = 0;
  let isOver = false;
  const workers = Array.from({ length: WORKERS }, async () => {
    while (!isOver) {
      const id = randomUUID();
      const startedAt = performance.now();
      const isCommitted = await transfer(id).then(
        () => true,
        () => false,
      );
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      if (isCommitted) committed.push(id);
      else lost += 1;
      // Retries without a pause would keep a refusing pool from ever reading a response.
      if (!isCommitted) await sleep(RETRY_MS);
    }
  });
  let kills = 0;
  while (kills < KILLS) {
    await sleep(KILL_EVERY_MS);
    kills += await killOne();
  }
  isOver = true;
  await Promise.all(workers);

  const [row] = await admin`
    WITH transfers AS (SELECT count(*) AS entries, sum(amount) AS sum FROM entries GROUP BY transfer)
    SELECT (SELECT count(*)::int FROM transfers WHERE entries <> 2 OR sum <> 0) AS orphans,
      (SELECT sum(balance)::int FROM accounts) AS total,
      (SELECT count(*)::int FROM accounts WHERE balance <> ${BALANCE}
        + coalesce((SELECT sum(amount) FROM entries WHERE account = id), 0)) AS wrong`;
  const kept = await admin`SELECT DISTINCT transfer FROM entries WHERE transfer = ANY(${committed}::uuid[])`;
  expectFigures({
    kills: { is: kills, exactly: KILLS },
    committed: { is: committed.length, atLeast: KILLS },
    lost: { is: lost, atLeast: KILLS / 2 },
    orphanTransfers: { is: row?.orphans, exactly: 0 },
    sum: { is: row?.total, exactly: ACCOUNTS * BALANCE },
    wrongBalances: { is: row?.wrong, exactly: 0 },
    committedButMissing: { is: committed.length - kept.length, exactly: 0 },
    longestPendingMs: { is: Math.round(longestMs), atMost: MAX_PENDING_MS },
  });
}, 180_000);

/** Moves 1 between two accounts by four statements, with a pause after each, as no code of the site does. */
async function transfer(id: string): Promise<void> {
  const from = randomAccount();
  const to = (from % ACCOUNTS) + 1;
  // Accounts are locked in one order, so that no transfer ends by a deadlock.
  const changes = [
    [from, -1],
    [to, 1],
  ].sort(([one = 0], [other = 0]) => one - other);
  await db.transaction(async (tx) => {
    for (const [account, amount] of changes) {
      await tx.execute(sql`INSERT INTO entries VALUES (${id}, ${account}, ${amount})`);
      await sleep(Math.random() * MAX_GAP_MS);
      await tx.execute(sql`UPDATE accounts SET balance = balance + ${amount} WHERE id = ${account}`);
      await sleep(Math.random() * MAX_GAP_MS);
    }
  });
}

/** Returns 0 when no backend was there at this moment. */
async function killOne(): Promise<number> {
  const killed = await admin`SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND application_name <> 'killer' AND backend_type = 'client backend'
    ORDER BY random() LIMIT 1) AS backend`;
  return killed.length;
}

function randomAccount(): number {
  return 1 + Math.floor(Math.random() * ACCOUNTS);
}
