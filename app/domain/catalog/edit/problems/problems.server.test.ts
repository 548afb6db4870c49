import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { failEncoding } from "#tests/support/encoding.ts";
import { createCreator, createPhotoSet, createVideo } from "#tests/support/media.ts";
import { countProblems, findProblems } from "./problems.server.ts";
import { PROBLEM_SENTENCES, PROBLEMS, type Problem } from "./problems.ts";

test("each problem is found in every combination, and counted", async () => {
  const { id: creator } = await createCreator();
  const seen: string[][] = [];
  const ids: string[] = [];
  for (let mixture = 0; mixture < 128; mixture += 1) {
    const has = (bit: number) => (mixture & (1 << bit)) > 0;
    const create = has(0) ? createVideo : createPhotoSet;
    const { id } = await create({ status: "draft", creators: has(1) ? [creator] : [] });
    if (has(2)) await db.execute(sql`UPDATE media SET produced_on = '2026-01-01' WHERE id = ${id}`);
    if (has(3)) await db.execute(sql`DELETE FROM media_files WHERE media_id = ${id} AND name LIKE 'cover-%'`);
    if (has(4)) {
      await db.execute(sql`INSERT INTO media_files (media_id, name, storage_key, content_type, bytes, sha256, crc32, needs)
        VALUES (${id}, 'captions-en.vtt', ${`media/${id}/captions-en.vtt`}, 'text/vtt', 1, '', 0, 'view')`);
    }
    if (has(5)) await db.execute(sql`UPDATE media SET publish_problem = 'No files.' WHERE id = ${id}`);
    if (has(6)) await failEncoding(id);
    const isTrue: Record<Problem, boolean> = {
      noCredit: !has(1),
      noCover: has(3),
      noProductionDate: !has(2),
      missingCaptions: has(0) && !has(4),
      publishFailed: has(5),
      encodingFailed: has(6),
    };
    const expected = PROBLEMS.filter((problem) => isTrue[problem]);
    expect(await findProblems(id)).toEqual(expected);
    seen.push(expected);
    ids.push(id);
  }
  const counts = await countProblems();
  for (const problem of PROBLEMS) {
    const items = seen.filter((found) => found.includes(problem)).length;
    expect(counts[problem], problem).toEqual({ items, only: null });
    expect(PROBLEM_SENTENCES[problem]).toMatch(/^[A-Z].+\.$/);
  }
  const failed = ids.filter((_, at) => seen[at]?.includes("publishFailed"));
  await db.execute(sql`UPDATE media SET publish_problem = NULL WHERE id <> ${failed[0] ?? ""}`);
  expect((await countProblems()).publishFailed).toEqual({ items: 1, only: failed[0] });
});

test("an item that was taken down or deleted has no problems to mend", async () => {
  for (const status of ["takenDown", "deleted"] as const) {
    const { id } = await createVideo({ status });
    await failEncoding(id);
    expect(await findProblems(id)).toEqual([]);
  }
});
