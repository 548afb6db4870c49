import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { createPhotoSet } from "#tests/support/media.ts";
import { findMedia } from "./media.server.ts";
import { listPreviews, storedPhotoPage } from "./photos.server.ts";

test("a page of a large set reads only its own photos, and one past the end those of the last page", async () => {
  const { slug } = await createPhotoSet({ photos: 250 });
  const positionsOf = async (page: number) =>
    (await findMedia("photoSet", slug, null, storedPhotoPage(page, undefined)))?.part.map(
      ({ position }) => position,
    );
  const from = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index);
  expect(await positionsOf(1)).toEqual(from(1, 100));
  expect(await positionsOf(3)).toEqual(from(201, 250));
  expect(await positionsOf(1_000_000)).toEqual(from(201, 250));

  await db.execute(sql`ANALYZE photos`);
  const [explained] = await db.execute<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(sql`
    EXPLAIN (ANALYZE, FORMAT JSON) SELECT ${storedPhotoPage(2, undefined)} FROM media m WHERE m.slug = ${slug}`);
  expect(explained && photosRead(explained["QUERY PLAN"][0].Plan)).toBe(100);
});

test("previews of a locked set have their own pages, whatever their positions", async () => {
  const { id } = await createPhotoSet({ photos: 260 });
  await db.execute(
    sql`UPDATE photos SET is_preview = true WHERE media_id = ${id} AND position > 20 AND position % 2 = 0`,
  );
  const { photos, total } = await listPreviews(id, 2, undefined);
  expect([total, photos.length, photos[0]?.position, photos.at(-1)?.position]).toEqual([120, 20, 222, 260]);
  expect((await listPreviews(id, 99, undefined)).photos).toEqual(photos);
  const none = await createPhotoSet({ photos: 2 });
  expect(await listPreviews(none.id, 1, undefined)).toEqual({ photos: [], total: 0 });
});

interface PlanNode {
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

function photosRead({ Plans = [], ...node }: PlanNode): number {
  const own = (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
  const below = Plans.reduce((sum, plan) => sum + photosRead(plan), 0);
  return below + (node["Relation Name"] === "photos" ? own : 0);
}
