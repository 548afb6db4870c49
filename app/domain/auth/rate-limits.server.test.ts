import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { LIMITS, type LimitName, takePoint } from "./rate-limits.server.ts";

const { points: MINUTE } = LIMITS.writesByUser;

/** The points of each count of this limit that has not ended. */
async function counted(name: LimitName): Promise<number[]> {
  const rows = await db.execute<{ points: number }>(
    sql`SELECT points FROM rate_limits WHERE expire > now() AND starts_with(key, ${name})`,
  );
  return rows.map(({ points }) => points);
}

async function takeAll(count: number, key: string) {
  const taken = await Promise.all(Array.from({ length: count }, () => takePoint("writesByUser", key)));
  return taken.filter((wait) => wait === null).length;
}

test("concurrent requests get as many points as there are, and another key has its own", async () => {
  const key = randomUUID();
  expect(await takeAll(10, key)).toBe(10);
  expect(await takeAll(MINUTE, key)).toBe(MINUTE - 10);
  expect(await takePoint("writesByUser", key)).toBeGreaterThan(50);
  expect(await takePoint("writesByUser", randomUUID())).toBeNull();
});

test("a count restarts after its period, and a database error takes no point", async () => {
  await db.execute(sql`TRUNCATE rate_limits`);
  const key = randomUUID();
  expect(await takePoint("rangesByViewer", key)).toBeNull();
  await sleep(1_100);
  expect(await counted("rangesByViewer")).toEqual([]);
  expect(await takePoint("rangesByViewer", key)).toBeNull();
  // The second point began a new count.
  expect(await counted("rangesByViewer")).toEqual([1]);
  await db.execute(sql`ALTER TABLE rate_limits RENAME TO elsewhere`);
  await expect(takePoint("writesByUser", key)).rejects.toThrow();
  await db.execute(sql`ALTER TABLE elsewhere RENAME TO rate_limits`);
  expect(await takePoint("writesByUser", key)).toBeNull();
  expect(await counted("writesByUser")).toEqual([1]);
});
