import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { backUp } from "#app/domain/backup/back-up.server.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { storePicture } from "#app/domain/site/site-files.server.ts";
import { db } from "#db/client.server.ts";
import { withConnection } from "#db/connection.ts";
import { emptyTarget, filesIn, keysIn, runBackupScript, storageOf } from "#tests/support/database/backup.ts";
import { createEncoded, createOriginal, createVideo } from "#tests/support/media.ts";
import { builtScript } from "#tests/support/process/built-script.ts";

const AVATAR = "avatars/someone/1.webp";
const folder = await mkdtemp(join(tmpdir(), "peony-stored-files-"));
const source = process.env.DATABASE_URL ?? "";

beforeAll(async () => {
  await Promise.all([builtScript("backup"), builtScript("restore")]);
  const video = await createVideo({ withFiles: true });
  await createOriginal(video.id, Buffer.from("as it was imported"));
  const version = await createEncoded(video.id);
  await db.execute(sql`INSERT INTO media_trailers (media_id, from_seconds, to_seconds, version)
    VALUES (${video.id}, 1, 4.5, ${version})`);
  await mediaStorage.put(AVATAR, Buffer.from("portrait"));
  await storePicture("icon", await readFile("public/apple-touch-icon.png"));
}, 600_000);
afterEach(() => vi.restoreAllMocks());
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a backup holds the originals and trailers, and a restore brings back their rows and bytes", {
  timeout: 120_000,
}, async () => {
  const archive = join(folder, "originals.tar");
  expect(await runBackupScript("backup", source, config.dataDir, archive, "--media")).toMatchObject({
    code: 0,
  });
  const target = await emptyTarget(folder);
  expect(await runBackupScript("restore", target.url, target.dataDir, archive)).toMatchObject({ code: 0 });
  const kept = (url: string) =>
    withConnection(url, async (sql) => [
      ...(await sql`SELECT storage_key, sha256, bytes::int, file_name, probe FROM media_originals`),
    ]);
  const rows = await kept(target.url);
  expect(rows).toEqual(await kept(source));
  expect(rows).toHaveLength(1);
  const restored = storageOf(target.dataDir);
  expect(String(await restored.read(rows[0]?.storage_key))).toBe("as it was imported");
  const trailers = (url: string) =>
    withConnection(url, async (sql) => [
      ...(await sql`SELECT t.*, f.storage_key, f.needs FROM media_trailers t
        JOIN media_files f ON f.media_id = t.media_id AND f.name = 'trailer.mp4'`),
    ]);
  const [trailer] = await trailers(target.url);
  expect(trailer).toMatchObject({ needs: "see", storage_key: expect.stringContaining("trailer.mp4") });
  expect([trailer]).toEqual(await trailers(source));
  expect(String(await restored.read(trailer?.storage_key))).toBe("trailer.mp4");

  // A backup without the bytes names the file, and its restore misses it.
  const light = join(folder, "light.tar");
  expect(await runBackupScript("backup", source, config.dataDir, light)).toMatchObject({ code: 0 });
  const second = await emptyTarget(folder);
  const { code, stdout, stderr } = await runBackupScript("restore", second.url, second.dataDir, light);
  expect(code).toBe(1);
  expect(stdout + stderr).toContain(rows[0]?.storage_key);
});

test("a damaged file is counted, and the rest of its backup is restored", {
  timeout: 120_000,
}, async () => {
  const [rotten = ""] = await keysOfRows();
  const good = (await mediaStorage.read(rotten)) ?? Buffer.alloc(0);
  await mediaStorage.put(
    rotten,
    good.map((byte, at) => (at === 0 ? byte ^ 1 : byte)),
  );
  const archive = join(folder, "rotten.tar");
  try {
    const backup = await runBackupScript("backup", source, config.dataDir, archive, "--media");
    expect(backup).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^1 media file missing or incomplete: .*media:check/),
    });
    const target = await emptyTarget(folder);
    expect(await runBackupScript("restore", target.url, target.dataDir, archive)).toMatchObject({ code: 0 });
    expect(await filesIn(target.dataDir)).toEqual(await filesIn(config.dataDir));
  } finally {
    await mediaStorage.put(rotten, good);
  }
});

test.each([true, false])(
  "a backup goes on when files go while it reads them, with media: %s",
  async (hasMedia) => {
    const [gone = ""] = await keysOfRows();
    const whole = await filesIn(config.dataDir);
    const bytes = (await mediaStorage.read(gone)) ?? Buffer.alloc(0);
    const open = mediaStorage.open;
    vi.spyOn(mediaStorage, "open").mockImplementation(async (key, range) => {
      if (key === gone || key === AVATAR) await mediaStorage.delete(key);
      return open(key, range);
    });
    try {
      const end = await backUp(source, join(folder, `gone-${hasMedia}.tar`), { hasMedia });
      // Without media only the files whose rows have no hash are read.
      const left = Object.keys(whole).length - 1;
      expect(end).toMatchObject(
        hasMedia ? { files: left - 1, missingFiles: 1 } : { files: left, missingFiles: 0 },
      );
    } finally {
      vi.restoreAllMocks();
      await mediaStorage.put(gone, bytes);
      await mediaStorage.put(AVATAR, Buffer.from("portrait"));
    }
  },
);

test("no table is locked while the media files are copied", async () => {
  const open = mediaStorage.open;
  let altered = 0;
  vi.spyOn(mediaStorage, "open").mockImplementation(async (key, range) => {
    await withConnection(source, async (sql) => {
      await sql`SET lock_timeout = '200ms'`;
      await sql`ALTER TABLE media_files ALTER COLUMN bytes SET NOT NULL`;
    });
    altered += 1;
    return open(key, range);
  });
  await backUp(source, join(folder, "unlocked.tar"), { hasMedia: true });
  expect(altered).toBeGreaterThan(1);
});

/** The keys of the files that rows name. */
async function keysOfRows(): Promise<string[]> {
  return (await keysIn(config.dataDir)).filter((key) => key !== AVATAR);
}
