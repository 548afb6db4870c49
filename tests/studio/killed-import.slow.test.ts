import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { config } from "#app/config.server.ts";
import { mediaStorage, objectsBelow } from "#app/domain/media/storage/media-storage.server.ts";
import { listBatches } from "#app/domain/uploads/own-batches.server.ts";
import { db } from "#db/client.server.ts";
import { startWorker } from "#tests/support/billing/worker-process.ts";
import { startChaosProxy } from "#tests/support/chaos-proxy.ts";
import { createMember } from "#tests/support/people.ts";
import { uploadFiles } from "#tests/support/uploads.ts";

/** Enough that the import is not over before it is killed. */
const PHOTOS = 12;
/** It is tried every two seconds. */
const TRIED_AGAIN_MS = 5_000;

beforeEach(async () => {
  await db.execute(sql`DELETE FROM upload_batches`);
  await db.execute(sql`DELETE FROM media`);
  await mediaStorage.deleteFolder("media");
});

async function storedNames(): Promise<string[]> {
  const names: string[] = [];
  for await (const { storageKey } of objectsBelow("media")) names.push(basename(storageKey));
  return names;
}

/** Returns the person who has sent them. */
async function sendPhotos(red: number): Promise<string> {
  const { id: userId } = await createMember({ role: "editor" });
  const files: Record<string, Uint8Array> = {};
  for (let number = 1; number <= PHOTOS; number += 1) {
    const background = { r: red * number, g: 90, b: 140 };
    const photo = sharp({ create: { width: 2_000, height: 1_500, channels: 3, background } });
    files[`${number}.jpg`] = await photo.jpeg().toBuffer();
  }
  await uploadFiles(userId, files);
  return userId;
}

test("an upload whose worker is killed during the import becomes one whole draft with the next worker", async () => {
  const userId = await sendPhotos(10);
  const first = startWorker();
  onTestFinished(() => first.kill());
  await expect.poll(storedNames, { timeout: 60_000, interval: 20 }).toContain("photo-1-480.avif");
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
  await expectOneWholeDraft();
}, 240_000);

test("an outage of the database does not count as a try of an import", async () => {
  const userId = await sendPhotos(5);
  const proxy = await startChaosProxy(process.env.DATABASE_URL ?? "");
  const worker = startWorker({ DATABASE_URL: proxy.url });
  onTestFinished(async () => {
    await worker.kill();
    await proxy.stop();
  });
  await expect.poll(storedNames, { timeout: 60_000, interval: 20 }).toContain("photo-1-480.avif");
  await proxy.turn("refuse");
  // It has stopped then, and tries in vain to give the batch back.
  await expect
    .poll(() => readdir(join(config.media.workDir, ".incoming")).catch(() => []), { timeout: 60_000 })
    .toEqual([]);
  await sleep(TRIED_AGAIN_MS);
  await proxy.turn("pass");
  await expect
    .poll(async () => (await listBatches(userId))[0]?.step, { timeout: 120_000, interval: 200 })
    .toBe("ended");
  expect(await db.execute(sql`SELECT attempts::int AS attempts FROM upload_batches`)).toEqual([
    { attempts: 1 },
  ]);
  await expectOneWholeDraft();
}, 240_000);

async function expectOneWholeDraft(): Promise<void> {
  const items = await db.execute(sql`SELECT status, photo_count::int AS photos FROM media`);
  expect(items).toEqual([{ status: "draft", photos: PHOTOS }]);
  const rows = await db.execute<{ name: string }>(sql`SELECT name FROM media_files`);
  expect((await storedNames()).sort()).toEqual(rows.map(({ name }) => name).sort());
  await expect.poll(() => readdir(join(config.media.dir, ".uploads"))).toEqual([]);
}
