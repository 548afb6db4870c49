import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { mediaStorage as storage } from "#app/domain/media/storage/media-storage.server.ts";
import { db } from "#db/client.server.ts";
import { createOriginal, createPhotoSet } from "#tests/support/media.ts";
import { builtScript, runScript } from "#tests/support/process/built-script.ts";
import { addFile } from "../support/media-site.ts";

beforeAll(() => builtScript("check-media"), 300_000);

test("media:check names each missing, shortened, damaged and unknown file", { timeout: 60_000 }, async () => {
  const files = await Promise.all(
    ["whole", "lost", "short", "damaged"].map((text) => addFile(storage, Buffer.from(text), { slug: text })),
  );
  const [whole = "", lost = "", short = "", damaged = ""] = files.map(({ path }) => path.slice(1));
  expect(await check()).toEqual({ code: 0, lines: ["4 files checked, 0 problems."] });

  await storage.delete(lost);
  await storage.put(short, Buffer.from("sho"));
  await storage.put(damaged, Buffer.from("dAmaged"));
  const left = whole.replace("video-720", "video-1080");
  await storage.put(left, Buffer.from("left"));
  await storage.put("creators/no-id/1/portrait.webp", Buffer.from("left"));

  const bySize = await check();
  expect(bySize.code).toBe(1);
  expect(bySize.lines.toSorted()).toEqual([
    expect.stringMatching(/^4 files checked, 4 problems\. Restore/),
    `missing         ${lost}`,
    `of the wrong size ${short}`,
    "unknown         creators/no-id/1/portrait.webp",
    `unknown         ${left}`,
  ]);
  const byHash = await check("--hashes");
  expect(byHash.lines).toContain(`damaged         ${damaged}`);
  expect(byHash.lines).toHaveLength(6);
});

test("media:check names each missing, shortened, damaged and unknown original", {
  timeout: 60_000,
}, async () => {
  await db.execute(sql`TRUNCATE media CASCADE`);
  const set = await createPhotoSet({ photos: 4 });
  await db.execute(sql`DELETE FROM media_files`);
  await storage.deleteFolder("media");
  await storage.deleteFolder("creators");
  const kept = [];
  for (const [at, text] of ["whole", "lost", "short", "damaged"].entries()) {
    kept.push((await createOriginal(set.id, Buffer.from(text), { photo: at + 1 })).storageKey);
  }
  expect(await check("--hashes")).toEqual({ code: 0, lines: ["4 files checked, 0 problems."] });
  const [, lost = "", short = "", damaged = ""] = kept;
  await storage.delete(lost);
  await storage.put(short, Buffer.from("sho"));
  await storage.put(damaged, Buffer.from("dAmaged"));
  await storage.put(`originals/${set.id}/9`, Buffer.from("left"));
  await storage.put("originals/00000000-0000-8000-8000-000000000000/1", Buffer.from("left"));
  expect((await check("--hashes")).lines.toSorted()).toEqual([
    expect.stringMatching(/^4 files checked, 5 problems/),
    `damaged         ${damaged}`,
    `missing         ${lost}`,
    `of the wrong size ${short}`,
    "unknown         originals/00000000-0000-8000-8000-000000000000/1",
    `unknown         originals/${set.id}/9`,
  ]);
});

async function check(...args: string[]): Promise<{ code: number; lines: string[] }> {
  const { code, stdout } = await runScript("check-media", args);
  return { code, lines: stdout.trim().split("\n") };
}
