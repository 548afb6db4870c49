import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { afterEach, expect, test, vi } from "vitest";
import { startStore } from "#tests/support/store/start-store.ts";

const engine = await startStore();
const { config } = await import("#app/config.server.ts");
const { runEncodingStep } = await import("#app/domain/catalog/encoding/run-step.server.ts");
const { mediaStorage, objectsBelow } = await import("#app/domain/media/storage/media-storage.server.ts");
const { importUploads } = await import("#app/domain/uploads/import-uploads.server.ts");
const { listBatches } = await import("#app/domain/uploads/own-batches.server.ts");
const { db } = await import("#db/client.server.ts");
const { saveVideo, stepsOf, workOff } = await import("#tests/media/support/encoded.ts");
const { createMember } = await import("#tests/support/people.ts");
const { uploadFiles } = await import("#tests/support/uploads.ts");

const NEVER = new AbortController().signal;
const DRAWN = ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=10:d=1", "-c:v", "libx264", "-pix_fmt", "yuv420p"];
const folder = await mkdtemp(join(tmpdir(), "peony-outage-"));
afterEach(() => vi.restoreAllMocks());

/** The store goes away at the moment of the first such call. */
function goAwayAt(method: "fileOf" | "put", isMoment: (...args: unknown[]) => boolean = () => true): void {
  const call = mediaStorage[method] as (...args: unknown[]) => Promise<unknown>;
  let isAway = false;
  vi.spyOn(mediaStorage, method).mockImplementation(async (...args: unknown[]): Promise<never> => {
    if (!isAway && isMoment(...args)) {
      isAway = true;
      await engine.down();
    }
    return (await call(...args)) as never;
  });
}

async function comeBack(): Promise<void> {
  vi.restoreAllMocks();
  await engine.up();
}

const unfinished = () => readdir(join(config.media.workDir, ".incoming"));

test.each(["fileOf", "put"] as const)(
  "a store that goes away at %s of an encoding step costs no try, and all files are made when it is back",
  async (method) => {
    await db.execute(sql`DELETE FROM media`);
    const path = join(folder, `${method}.mp4`);
    execFileSync(config.media.ffmpeg, ["-v", "error", ...DRAWN, "-metadata", `title=${method}`, path]);
    const id = await saveVideo(path);
    const work = () => runEncodingStep(1, { stopping: NEVER, lost: NEVER });
    expect(await work()).toMatchObject({ step: "source", outcome: "done" });
    goAwayAt(method);
    if (method === "put") {
      // What was made waits for the store.
      setTimeout(() => void engine.up(), 3_000);
      expect(await work()).toMatchObject({ step: "rung-90", outcome: "done" });
      vi.restoreAllMocks();
    } else {
      expect(await work()).toMatchObject({ step: "rung-90", outcome: "givenBack" });
      expect((await stepsOf(id))[1]).toEqual({
        ...{ step: "rung-90", state: "waiting", attempts: 0 },
        lines: ["The object store does not answer. The next try is in 30 seconds."],
      });
      expect(await unfinished()).toEqual([]);
      await comeBack();
    }
    await db.execute(sql`UPDATE media_work SET due_at = now()`);
    await workOff();
    expect((await stepsOf(id)).filter(({ state, attempts }) => state !== "done" || attempts !== 1)).toEqual(
      [],
    );
    const rows = await db.execute<{ key: string; sha256: string }>(
      sql`SELECT storage_key AS key, sha256 FROM media_files WHERE media_id = ${id} AND retired_at IS NULL`,
    );
    expect(rows.length).toBeGreaterThan(5);
    for (const { key, sha256 } of rows) {
      const bytes = (await mediaStorage.read(key)) ?? "";
      expect(createHash("sha256").update(bytes).digest("hex"), key).toBe(sha256);
    }
    expect(await unfinished()).toEqual([]);
  },
);

test("a store that goes away during an import of uploads costs no try, and the upload becomes one whole draft", async () => {
  await db.execute(sql`DELETE FROM media`);
  await mediaStorage.deleteFolder("media");
  await mediaStorage.deleteFolder("originals");
  const { id: userId } = await createMember({ role: "editor" });
  const files: Record<string, Uint8Array> = {};
  for (const background of ["red", "blue", "green"]) {
    const photo = sharp({ create: { width: 160, height: 200, channels: 3, background } });
    files[`Set/${background}.jpg`] = await photo.jpeg().toBuffer();
  }
  await uploadFiles(userId, files);
  // What is moved would wait for the store.
  goAwayAt("put", (_, source) => !(source as { move?: boolean }).move);
  expect(await importUploads(NEVER)).toEqual({ failed: [] });
  expect(await db.execute(sql`SELECT attempts::int AS attempts, problem FROM upload_batches`)).toEqual([
    { attempts: 0, problem: null },
  ]);
  expect(await unfinished()).toEqual([]);
  await comeBack();
  expect(await importUploads(NEVER)).toEqual({ failed: [] });
  const [batch] = await listBatches(userId);
  expect(batch).toMatchObject({ step: "ended", results: [{ state: "takenIn", files: 3, note: null }] });
  expect(await db.execute(sql`SELECT status, photo_count::int AS photos FROM media`)).toEqual([
    { status: "draft", photos: 3 },
  ]);
  const rows = await db.execute<{ key: string }>(sql`
    SELECT storage_key AS key FROM media_files UNION SELECT storage_key FROM media_originals`);
  const stored: string[] = [];
  for (const each of ["media", "originals"])
    for await (const { storageKey } of objectsBelow(each)) stored.push(storageKey);
  expect(stored.sort()).toEqual(rows.map(({ key }) => key).sort());
});
