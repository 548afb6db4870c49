import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

const MAX_BYTES = 32_000_000;
const DEMO_DIR = "demo/catalogue";
const dataDir = await mkdtemp(join(tmpdir(), "peony-demo-"));
vi.stubEnv("DATA_DIR", dataDir);
const { closeDatabase, db } = await import("#db/client.server.ts");
const { mediaFiles, creatorFiles } = await import("#db/schema/catalog-files.ts");
const { seedDemo } = await import("./seed.server.ts");

beforeAll(() => seedDemo());
afterAll(async () => {
  await closeDatabase();
  await rm(dataDir, { recursive: true, force: true });
});

async function snapshot() {
  const [row] = await db.execute<Record<string, number>>(sql`SELECT
    (SELECT count(*)::int FROM creators) AS creators,
    (SELECT count(*)::int FROM media WHERE type = 'video') AS videos,
    (SELECT count(*)::int FROM media WHERE type = 'photoSet') AS sets,
    (SELECT count(*)::int FROM media WHERE status = 'scheduled' AND publish_at > now()) AS scheduled,
    (SELECT count(*)::int FROM media WHERE status = 'takenDown') AS taken_down,
    (SELECT count(*)::int FROM media WHERE status = 'draft' AND publish_at IS NULL) AS drafts,
    (SELECT count(*)::int FROM media WHERE status = 'hidden') AS hidden,
    (SELECT count(*)::int FROM media WHERE access = 'free') AS free,
    (SELECT count(*)::int FROM media WHERE access = 'member') AS member,
    (SELECT count(*)::int FROM photos WHERE is_preview) AS previews,
    (SELECT count(*)::int FROM photos) AS photos,
    (SELECT count(*)::int FROM media_trailers) AS trailers,
    (SELECT count(*)::int FROM media_files WHERE name = 'trailer-hover.mp4') AS trailer_previews,
    (SELECT count(*)::int FROM media WHERE width = 1920 AND height = 1080) AS large_videos,
    (SELECT count(DISTINCT media_id)::int FROM media_files WHERE name LIKE 'photo-%.jpg') AS jpeg_sets,
    (SELECT count(*)::int FROM media_files WHERE name LIKE 'photo-%.jpg') AS jpegs,
    (SELECT sum(photo_count)::int FROM media WHERE type = 'photoSet' AND allow_download) AS downloadable_photos,
    (SELECT count(*)::int FROM media_files) AS files,
    (SELECT count(*)::int FROM users) AS users,
    (SELECT count(*)::int FROM prices) AS prices,
    (SELECT count(*)::int FROM views) AS views,
    (SELECT count(*)::int FROM favorites) AS favorites`);
  return row;
}

test("an empty site gets the whole catalog and a person of each role", async () => {
  const [{ total } = { total: 0 }] = await db.execute<{ total: number }>(
    sql`SELECT sum(photo_count)::int AS total FROM media`,
  );
  expect(await snapshot()).toMatchObject({
    creators: 8,
    videos: 26,
    sets: 18,
    scheduled: 1,
    taken_down: 1,
    drafts: 3,
    hidden: 1,
    free: 3,
    member: 6,
    photos: total,
    trailers: 6,
    trailer_previews: 6,
    large_videos: 3,
    jpeg_sets: 2,
    jpegs: 26,
    downloadable_photos: 26,
    users: 6,
    prices: 2,
    views: 5,
    favorites: 6,
  });
});

test("seeding again changes nothing", async () => {
  const before = await snapshot();
  await seedDemo();
  expect(await snapshot()).toEqual(before);
});

test("a large video can be watched in 1080, 720 and 360 lines", async () => {
  const rows = await db.execute<{
    names: string;
  }>(sql`SELECT string_agg(name, ' ' ORDER BY f.height DESC, name) AS names
    FROM media_files f JOIN media m ON m.id = media_id
    WHERE m.height = 1080 AND name ~ '^(rung|video)-' GROUP BY m.id`);
  expect(new Set(rows.map(({ names }) => names))).toEqual(
    new Set([
      "rung-1080.m3u8 rung-1080.mp4 video-1080.mp4 rung-720.m3u8 rung-720.mp4 video-720.mp4 rung-360.m3u8 rung-360.mp4",
    ]),
  );
});

test("every file row has its file, with its size and hash", async () => {
  const rows = [...(await db.select().from(mediaFiles)), ...(await db.select().from(creatorFiles))];
  expect(rows.length).toBeGreaterThan(900);
  const found = await Promise.all(
    rows.map(async ({ storageKey }) => {
      const bytes = await readFile(join(dataDir, "media", storageKey));
      return { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
    }),
  );
  expect(found).toEqual(rows.map(({ bytes, sha256 }) => ({ bytes, sha256 })));
});

test("the committed demo stays small, and its videos start at once in every browser", async () => {
  const names = (await readdir(DEMO_DIR, { recursive: true })).map((name) => join(DEMO_DIR, name));
  const sizes = await Promise.all(
    names.map(async (name) => {
      const entry = await stat(name);
      return entry.isFile() ? entry.size : 0;
    }),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
  const videos = names.filter((name) => /\/(?:video-\d+|trailer)\.mp4$/.test(name));
  expect(videos).toHaveLength(33);
  for (const video of videos) {
    const { stdout } = await promisify(execFile)("ffprobe", [
      ...["-v", "error", "-show_entries", "stream=codec_name,pix_fmt", "-of", "csv=p=0", video],
    ]);
    expect(stdout.trim().split("\n")).toEqual(["h264,yuv420p", "aac"]);
    expect(await startOf(video)).toContain("moov");
  }
  // Thirty-three programs are started, each of which takes a second beside other tests.
}, 90_000);

/** The index of a faststart file precedes its data. */
async function startOf(video: string): Promise<string> {
  const handle = await open(video);
  try {
    const { buffer } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
    return buffer.toString("latin1");
  } finally {
    await handle.close();
  }
}
