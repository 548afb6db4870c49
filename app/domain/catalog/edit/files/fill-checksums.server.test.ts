import { crc32 } from "node:zlib";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { jobs } from "#app/domain/jobs/jobs.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { db } from "#db/client.server.ts";
import { collectAnnouncements } from "#tests/support/announcements.ts";
import { createVideo } from "#tests/support/media.ts";
import { fillChecksums } from "./fill-checksums.server.ts";

const announced = await collectAnnouncements();

/** The payload of the step that is queued, which is then gone. */
async function takeStep() {
  const [row] = await db.execute<{ payload: unknown }>(sql`
    DELETE FROM graphile_worker._private_jobs WHERE task_id = (
      SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'fill-checksums') RETURNING payload`);
  return row ? jobs["fill-checksums"].payload.parse(row.payload) : null;
}

async function sumsOf(id: string) {
  const rows = await db.execute<{ name: string; crc32: string | null }>(
    sql`SELECT name, crc32 FROM media_files WHERE media_id = ${id} ORDER BY name`,
  );
  return Object.fromEntries(rows.map(({ name, crc32: sum }) => [name, sum === null ? null : Number(sum)]));
}

test("files get their checksum step by step until none is left, and a broken one is passed over", async () => {
  const whole = await createVideo({ withFiles: true });
  const broken = await createVideo({ withFiles: true });
  // Files from before checksums were kept.
  await db.execute(sql`UPDATE media_files SET crc32 = NULL WHERE media_id IN (${whole.id}, ${broken.id})`);
  const key = (id: string, name: string) => `media/${id}/${name}`;
  await mediaStorage.delete(key(broken.id, "video-360.mp4"));
  await mediaStorage.put(key(broken.id, "blur-480.webp"), Buffer.from("another"));
  announced.length = 0;

  let steps = 0;
  for (let step: Awaited<ReturnType<typeof takeStep>> = {}; step !== null; step = await takeStep()) {
    await fillChecksums(step);
    steps += 1;
  }
  // The last one finds nothing.
  expect(steps).toBe(2);
  const names = Object.keys(await sumsOf(whole.id));
  const expected = Object.fromEntries(names.map((name) => [name, crc32(name)]));
  expect(await sumsOf(whole.id)).toEqual(expected);
  expect(await sumsOf(broken.id)).toEqual({ ...expected, "blur-480.webp": null, "video-360.mp4": null });
  expect(announced).toEqual([]);
});
