import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { createVideo } from "#tests/support/media.ts";
import { readEncodingTotals } from "./encoding-totals.server.ts";

test("the metrics count steps by state, and the speed of the sizes that were made in the last hour", async () => {
  await db.execute(sql`TRUNCATE media CASCADE`);
  expect(await readEncodingTotals()).toEqual({ waiting: 0, running: 0, failed: 0, speed: 0 });
  const { id } = await createVideo({ durationSeconds: 600 });
  await db.execute(sql`INSERT INTO media_encodings (media_id) VALUES (${id})`);
  await db.execute(sql`
    INSERT INTO media_work (media_id, step, position, state, seconds, updated_at) VALUES
      (${id}, 'source', 0, 'done', 1, now()), (${id}, 'rung-1080', 1, 'done', 300, now()),
      (${id}, 'rung-720', 2, 'done', 100, now()), (${id}, 'rung-480', 3, 'done', 1, now() - interval '2 hours'),
      (${id}, 'video-1080', 4, 'running', NULL, now()), (${id}, 'video-720', 5, 'waiting', NULL, now()),
      (${id}, 'hover', 6, 'waiting', NULL, now()), (${id}, 'sprite', 7, 'failed', NULL, now()),
      (${id}, 'candidate', 8, 'cancelled', NULL, now())`);
  expect(await readEncodingTotals()).toEqual({ waiting: 2, running: 1, failed: 1, speed: 3 });
});
