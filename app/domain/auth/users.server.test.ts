import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { createMember } from "#tests/support/people.ts";
import { recordVisits } from "./users.server.ts";

let id: string;
beforeEach(async () => {
  id = (await createMember()).id;
});

async function wait(minutes: number): Promise<void> {
  const ago = sql`make_interval(mins => ${minutes})`;
  await db
    .update(users)
    .set({
      lastSeenAt: sql`${users.lastSeenAt} - ${ago}`,
      previousVisitAt: sql`${users.previousVisitAt} - ${ago}`,
    })
    .where(eq(users.id, id));
}

async function minutesSincePreviousVisit(): Promise<number | null> {
  const [row] = await db.select({ at: users.previousVisitAt }).from(users).where(eq(users.id, id));
  return row?.at ? Math.round((Date.now() - row.at.getTime()) / 60_000) : null;
}

test("a first visit has no previous visit, however long it lasts", async () => {
  for (let page = 0; page < 4; page += 1) {
    await recordVisits([id]);
    await wait(20);
  }
  expect(await minutesSincePreviousVisit()).toBeNull();
});

test("a visit begins after half an hour without requests, and the previous one ended at its last request", async () => {
  await recordVisits([id]);
  await wait(10);
  await recordVisits([id]);
  await wait(180);
  await recordVisits([id]);
  expect(await minutesSincePreviousVisit()).toBe(180);
  await wait(5);
  await recordVisits([id]);
  expect(await minutesSincePreviousVisit()).toBe(185);
});
