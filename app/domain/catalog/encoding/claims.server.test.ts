import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { createVideo } from "#tests/support/media.ts";
import { claimStep, runnerLock } from "./claims.server.ts";

const locks = new pg.Client({ connectionString: config.database.url });
await locks.connect();
afterAll(() => locks.end());
for (const runner of [1, 2]) await locks.query(runnerLock(runner));
/** Nobody holds its lock, as after the death of its worker. */
const DEAD = 99;

/** With one step, which is due. */
async function queued(): Promise<string> {
  const { id } = await createVideo();
  await db.execute(sql`INSERT INTO media_encodings (media_id, queued_at) VALUES (${id}, clock_timestamp())`);
  await db.execute(sql`INSERT INTO media_work (media_id, step, position) VALUES (${id}, 'source', 0)`);
  return id;
}

async function die(): Promise<void> {
  await db.execute(sql`UPDATE media_work SET claimed_by = ${DEAD} WHERE state = 'running'`);
}

test("a step that ran when its worker died runs alone, so that only the one to blame fails for good", async () => {
  const [deadly, other] = [await queued(), await queued()];
  await queued();
  expect(await claimStep(1)).toMatchObject({ mediaId: deadly });
  expect(await claimStep(2)).toMatchObject({ mediaId: other });
  for (let attempts = 2; attempts <= 3; attempts += 1) {
    await die();
    const begun = (await Promise.all([claimStep(1), claimStep(2)])).filter((claim) => claim !== null);
    expect(begun).toMatchObject([{ mediaId: deadly, attempts }]);
  }
  await die();
  expect(await claimStep(1)).toMatchObject({ mediaId: other, attempts: 2 });
  expect(await claimStep(2)).toBeNull();
  expect(await db.execute(sql`SELECT state FROM media_work WHERE media_id = ${deadly}`)).toEqual([
    { state: "failed" },
  ]);
});
