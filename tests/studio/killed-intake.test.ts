import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { config } from "#app/config.server.ts";
import { FormFiles } from "#app/domain/uploads/form-files.server.ts";
import { listBatches } from "#app/domain/uploads/own-batches.server.ts";
import { db } from "#db/client.server.ts";
import { startWorker } from "#tests/support/billing/worker-process.ts";
import { createMember } from "#tests/support/people.ts";

/** Enough that the intake is not over before it is killed. */
const PHOTOS = 12;
const media = join(config.media.dir, "media");

async function filesOnDisk(): Promise<string[]> {
  const entries = await readdir(media, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

test("an upload whose worker is killed while it is taken in becomes one whole draft with the next worker", async () => {
  const { id: userId } = await createMember({ role: "editor" });
  const form = new FormFiles(userId);
  for (let number = 1; number <= PHOTOS; number += 1) {
    const background = { r: 10 * number, g: 90, b: 140 };
    const photo = sharp({ create: { width: 2_000, height: 1_500, channels: 3, background } });
    const file = form.begin(`${number}.jpg`);
    await file.write(await photo.jpeg().toBuffer());
    expect(await file.end()).toBeNull();
  }
  await form.end();

  const first = startWorker();
  onTestFinished(() => first.kill());
  await expect.poll(filesOnDisk, { timeout: 60_000, interval: 20 }).toContain("photo-1-480.avif");
  await first.kill();
  expect(await db.execute(sql`SELECT FROM media`)).toHaveLength(0);
  const [killed] = await listBatches(userId);
  expect(killed).toMatchObject({ step: "running", problem: null, results: [] });

  const second = startWorker();
  onTestFinished(() => second.kill());
  await expect
    .poll(async () => (await listBatches(userId))[0]?.step, { timeout: 120_000, interval: 200 })
    .toBe("ended");
  const [batch] = await listBatches(userId);
  expect(batch?.results).toMatchObject([{ state: "takenIn", files: PHOTOS, note: null }]);
  const items = await db.execute(sql`SELECT status, photo_count::int AS photos FROM media`);
  expect(items).toEqual([{ status: "draft", photos: PHOTOS }]);
  const rows = await db.execute<{ name: string }>(sql`SELECT name FROM media_files`);
  expect((await filesOnDisk()).sort()).toEqual(rows.map(({ name }) => name).sort());
  await expect.poll(() => readdir(join(config.media.dir, ".uploads"))).toEqual([]);
}, 240_000);
