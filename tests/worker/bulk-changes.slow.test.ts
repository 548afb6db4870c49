import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { confirmBulk, findBulkChange } from "#app/domain/catalog/edit/bulk/bulk-changes.server.ts";
import { verifyAudit } from "#app/domain/staff/audit.server.ts";
import { db } from "#db/client.server.ts";
import { startWorker } from "../support/billing/worker-process.ts";
import { createVideo } from "../support/media.ts";
import { createMember } from "../support/people.ts";

const ITEMS = 240;
const KILLS = 4;

test("a bulk change whose worker is killed again and again changes each item once", async () => {
  const ids: string[] = [];
  for (let index = 0; index < ITEMS; index += 1) ids.push((await createVideo()).id);
  const { id: ownerId, email } = await createMember({ role: "owner" });
  const owner = { id: ownerId, name: email, role: "owner" } as const;
  const { id } = await confirmBulk(owner, { ids }, { kind: "state", transition: "hide" });
  const progress = async () => (await findBulkChange(id ?? ""))?.done ?? 0;

  for (let kill = 1; kill <= KILLS; kill += 1) {
    const worker = startWorker();
    try {
      // The middle of some item, wherever that is.
      await expect
        .poll(progress, { timeout: 60_000, interval: 5 })
        .toBeGreaterThan((kill * ITEMS) / (KILLS + 2));
      await sleep(kill * 7);
    } finally {
      await worker.kill();
    }
    expect(await progress()).toBeLessThan(ITEMS);
  }
  const worker = startWorker();
  try {
    await expect.poll(progress, { timeout: 60_000 }).toBe(ITEMS);
  } finally {
    await worker.kill();
  }
  expect(await findBulkChange(id ?? "")).toMatchObject({ changed: ITEMS, problems: [], isDone: true });
  const entries = await db.execute<{ entries: number; items: number }>(sql`
    SELECT count(*)::int AS entries, count(DISTINCT subject_id)::int AS items FROM audit_log WHERE action = 'media.hidden'`);
  expect(entries).toEqual([{ entries: ITEMS, items: ITEMS }]);
  expect((await verifyAudit()).brokenId).toBeNull();
}, 300_000);
