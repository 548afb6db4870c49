import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { LIMITS, type LimitName, takeLeasedPoint, takePoint } from "./rate-limits.server.ts";

const { points: MINUTE } = LIMITS.writesByUser;

/** The points of each count of this limit that has not ended. */
async function counted(name: LimitName): Promise<number[]> {
  const rows = await db.execute<{ points: number }>(
    sql`SELECT points FROM rate_limits WHERE expire > now() AND starts_with(key, ${name})`,
  );
  return rows.map(({ points }) => points);
}

async function takeAll(count: number, key: string) {
  const taken = await Promise.all(Array.from({ length: count }, () => takeLeasedPoint("writesByUser", key)));
  return taken.filter((wait) => wait === null).length;
}

test("leased points are as many as single ones, and concurrent requests share a lease", async () => {
  await db.execute(sql`TRUNCATE rate_limits`);
  const key = randomUUID();
  expect(await takeAll(10, key)).toBe(10);
  expect(await counted("writesByUser")).toEqual([10]);
  expect(await takeAll(MINUTE, key)).toBe(MINUTE - 10);
  expect(await takeLeasedPoint("writesByUser", key)).toBeGreaterThan(50);
  expect(await takeLeasedPoint("writesByUser", randomUUID())).toBeNull();
});

test("points that other requests and processes took are not given again", async () => {
  const key = randomUUID();
  for (let count = 0; count < MINUTE - 7; count += 1) await takePoint("writesByUser", key);
  expect(await takeAll(10, key)).toBe(5);
  expect(await takePoint("writesByUser", key)).not.toBeNull();
});

test("a lease ends with its time, and a count that failed leaves none", async () => {
  await db.execute(sql`TRUNCATE rate_limits`);
  const key = randomUUID();
  expect(await takeLeasedPoint("rangesByViewer", key)).toBeNull();
  await sleep(1_100);
  expect(await counted("rangesByViewer")).toEqual([]);
  expect(await takeLeasedPoint("rangesByViewer", key)).toBeNull();
  // The second lease began a new count.
  expect(await counted("rangesByViewer")).toEqual([5]);
  await db.execute(sql`ALTER TABLE rate_limits RENAME TO elsewhere`);
  await expect(takeLeasedPoint("writesByUser", key)).rejects.toThrow();
  await db.execute(sql`ALTER TABLE elsewhere RENAME TO rate_limits`);
  expect(await takeLeasedPoint("writesByUser", key)).toBeNull();
  expect(await counted("writesByUser")).toEqual([5]);
});
