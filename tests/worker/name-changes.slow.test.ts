import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { saveCreator } from "#app/domain/catalog/edit/names/edit-creators.server.ts";
import { mergeNames } from "#app/domain/catalog/edit/names/merge-names.server.ts";
import { findNameChange } from "#app/domain/catalog/edit/names/name-changes.server.ts";
import { verifyAudit } from "#app/domain/staff/audit.server.ts";
import { allowLongStatements, db } from "#db/client.server.ts";
import { startWorker } from "../support/billing/worker-process.ts";
import { createCreator } from "../support/media.ts";

const ITEMS = 5_000;
const KILLS = 20;
const OWNER = { id: randomUUID(), name: "owner@example.com", role: "owner" } as const;

allowLongStatements();

/** Published videos by the creator; each tenth credits the other one, too, in front. */
async function credit(creatorId: string, otherId: string): Promise<void> {
  await db.execute(sql`
    WITH made AS (
      INSERT INTO media (type, short_id, slug, title, status, publish_at, duration_seconds, access)
      SELECT 'video', 'x' || n, 'x' || n, 'Film ' || n, 'published', now() - interval '1 hour', 60, 'free'
      FROM generate_series(1, ${ITEMS}::int) n RETURNING id, short_id
    ), credited AS (
      INSERT INTO media_creators (media_id, creator_id, position) SELECT id, ${creatorId}::uuid, 1 FROM made
    )
    INSERT INTO media_creators (media_id, creator_id, position)
    SELECT id, ${otherId}::uuid, 0 FROM made WHERE substr(short_id, 2)::int % 10 = 0`);
}

/** Kills the worker twenty times in the middle of some step, and lets the last one finish. */
async function killAgainAndAgain(id: string): Promise<void> {
  const total = (await findNameChange(id))?.total ?? 0;
  const progress = async () => (await findNameChange(id))?.done ?? 0;
  let before = await progress();
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const worker = startWorker();
    try {
      await expect
        .poll(progress, { timeout: 120_000, interval: 5 })
        // A worker that was killed late has done more than its share.
        .toBeGreaterThan(Math.max(before, (kill * total) / (KILLS + 4)));
      await sleep((kill * 13) % 50);
      expect((await findNameChange(id))?.isDone).toBe(false);
    } finally {
      await worker.kill();
    }
    const done = await progress();
    expect(done).toBeGreaterThan(before);
    before = done;
  }
  const worker = startWorker();
  try {
    await expect
      .poll(async () => (await findNameChange(id))?.isDone, { timeout: 240_000, interval: 100 })
      .toBe(true);
  } finally {
    await worker.kill();
  }
}

async function findsAll(word: string): Promise<number[]> {
  const [row] = await db.execute<{ search: number; visitors: number; studio: number }>(sql`
    SELECT (SELECT count(*)::int FROM media WHERE search @@ to_tsquery('simple', ${word})) AS search,
      (SELECT count(*)::int FROM media_terms WHERE term = list_term('word ' || ${word}::text)) AS visitors,
      (SELECT count(*)::int FROM studio_terms WHERE term = list_term('word ' || ${word}::text)) AS studio`);
  return [row?.search ?? -1, row?.visitors ?? -1, row?.studio ?? -1];
}

async function entriesOf(action: string): Promise<number> {
  const [row] = await db.execute<{ entries: number }>(
    sql`SELECT count(*)::int AS entries FROM audit_log WHERE action = ${action}`,
  );
  return row?.entries ?? -1;
}

test("a rename and a merge of what 5,000 items carry lose nothing when their worker is killed twenty times", async () => {
  const ada = await createCreator({ name: "Adalind" });
  const bea = await createCreator({ name: "Beatrix" });
  await credit(ada.id, bea.id);
  const text = { name: "Adalind", slug: ada.slug, bio: "" };
  expect(await saveCreator(OWNER, ada.id, "text", text, { ...text, name: "Corisande" })).toEqual({
    saved: true,
  });
  const [renamed] = await db.execute<{ id: string }>(
    sql`SELECT id FROM name_changes WHERE action = 'rename'`,
  );
  // The page of the form refreshes none of them.
  expect(await findNameChange(renamed?.id ?? "")).toMatchObject({ done: 0, isDone: false });
  await killAgainAndAgain(renamed?.id ?? "");
  expect([await findsAll("corisande"), await findsAll("adalind")]).toEqual([
    [ITEMS, ITEMS, ITEMS],
    [0, 0, 0],
  ]);
  expect(await findNameChange(renamed?.id ?? "")).toMatchObject({ done: ITEMS, total: ITEMS });

  const { id } = await mergeNames(OWNER, "creator", ada.id, bea.id);
  await killAgainAndAgain(id ?? "");
  const credits = await db.execute(sql`
    SELECT count(*)::int AS credits, count(DISTINCT media_id)::int AS items, min(position) AS first,
      count(*) FILTER (WHERE position = 0)::int AS in_front FROM media_creators`);
  expect(credits).toEqual([{ credits: ITEMS, items: ITEMS, first: 0, in_front: ITEMS / 10 }]);
  expect(await db.execute(sql`SELECT id, video_count, to_jsonb(aliases) AS aliases FROM creators`)).toEqual([
    { id: bea.id, video_count: ITEMS, aliases: ["Corisande"] },
  ]);
  expect([await findsAll("beatrix"), await findsAll("corisande")]).toEqual([
    [ITEMS, ITEMS, ITEMS],
    [ITEMS, ITEMS, ITEMS],
  ]);
  expect(await db.execute(sql`SELECT slug, target_id FROM former_slugs`)).toEqual([
    { slug: ada.slug, target_id: bea.id },
  ]);
  expect([await entriesOf("creator.edited"), await entriesOf("creator.merged")]).toEqual([1, 1]);
  expect((await verifyAudit()).brokenId).toBeNull();
}, 1_200_000);
