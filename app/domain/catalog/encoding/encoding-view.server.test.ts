import { sql } from "drizzle-orm";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { createVideo, HOST } from "#tests/support/media.ts";
import { findEncoding } from "./encoding-view.server.ts";

beforeEach(() => db.execute(sql`TRUNCATE media CASCADE`));

/** A video with one size that took 60 seconds, and one that waits. */
async function halfMade(options: Parameters<typeof createVideo>[0] = {}): Promise<string> {
  const { id } = await createVideo(options);
  await db.execute(sql`INSERT INTO media_encodings (media_id, queued_at) VALUES (${id}, clock_timestamp())`);
  await db.execute(sql`INSERT INTO media_work (media_id, step, position, state, seconds)
    VALUES (${id}, 'rung-720', 1, 'done', 60), (${id}, 'rung-360', 2, 'waiting', NULL)`);
  return id;
}

test("the time left includes the videos before it, but none that is taken down or comes later", async () => {
  const first = await halfMade({ durationSeconds: 100 });
  await halfMade({ durationSeconds: 100, status: "takenDown" });
  const second = await halfMade({ durationSeconds: 100 });
  // A quarter of the pixels.
  expect(await findEncoding(HOST, first)).toMatchObject({ videosBefore: 0, secondsLeft: 15 });
  expect(await findEncoding(HOST, second)).toMatchObject({ videosBefore: 1, secondsLeft: 30 });
});

test("no time is promised while the item is taken down or no worker encodes", async () => {
  const { encodingJobs } = config.media;
  onTestFinished(() => {
    config.media.encodingJobs = encodingJobs;
  });
  const id = await halfMade({ durationSeconds: 100 });
  expect(await findEncoding(HOST, id)).toMatchObject({ waitsFor: null, secondsLeft: 15 });
  config.media.encodingJobs = 0;
  expect(await findEncoding(HOST, id)).toMatchObject({ waitsFor: "worker", secondsLeft: null });
  await db.execute(sql`UPDATE media SET status = 'takenDown' WHERE id = ${id}`);
  config.media.encodingJobs = encodingJobs;
  expect(await findEncoding(HOST, id)).toMatchObject({ waitsFor: "item", secondsLeft: null });
});
