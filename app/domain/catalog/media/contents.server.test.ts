import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { createPhotoSet } from "#tests/support/media.ts";
import { listPreviews, storedPhotoPage, videoContents } from "./contents.server.ts";
import { findMedia } from "./media.server.ts";

test("a ladder names its sizes, and tells how many sounds there are", () => {
  const playlist = (name: string, quality: number | null) => ({
    ...{ name, quality, version: 1, height: quality, contentType: "application/vnd.apple.mpegurl" },
    ...{ bytes: 500, language: null, label: null },
  });
  const files = [
    playlist("rung-360.m3u8", 360),
    playlist("rung-sound-1.m3u8", null),
    playlist("rung-sound-2.m3u8", null),
  ];
  const { ladder } = videoContents("id", { files, markers: null, seconds: 60, width: 640, height: 360 });
  expect(ladder?.rungs).toEqual([{ quality: 360, url: "/media/id/1/rung-360.m3u8" }]);
  // The page keeps room for their menu.
  expect(ladder?.sounds).toBe(2);
});

const sheetsOf = (sheets: number, rows: number) => [
  ...[{ name: "sprite.vtt", height: null }],
  ...Array.from({ length: sheets }, (_, index) => ({ name: `sprite-${index + 1}.webp`, height: rows * 90 })),
];
test.each([
  ["a sheet of 300.00 s", { sheets: 1, rows: 6, seconds: 300.02, at: 252 }, { sheet: 1, x: 160, y: 450 }],
  ["a sheet of 300.02 s", { sheets: 1, rows: 7, seconds: 300, at: 252 }, { sheet: 1, x: 160, y: 450 }],
  ["sheets of 1800.00 s", { sheets: 4, rows: 10, seconds: 1800.02, at: 900 }, { sheet: 2, x: 160, y: 720 }],
  ["sheets of 1800.02 s", { sheets: 2, rows: 10, seconds: 1800, at: 900 }, { sheet: 1, x: 160, y: 810 }],
])("the picture of a chapter is whole on %s, whatever the duration of the video", (_, video, expected) => {
  const { sheets, rows, seconds, at } = video;
  const files = sheetsOf(sheets, rows).map((file) => ({
    ...{ ...file, quality: null, version: 3, contentType: "x/x" },
    ...{ bytes: 1, language: null, label: null },
  }));
  const size = { width: 1920, height: 1080 };
  const { markers } = videoContents("id", {
    files,
    markers: [{ atSeconds: at, title: "" }],
    seconds,
    ...size,
  });
  const { sheet, x, y } = expected;
  const url = `/media/id/3/sprite-${sheet}.webp`;
  expect(markers[0]?.picture).toEqual({ url, x, y, width: 160, height: 90 });
});

test("the picture of a chapter is taken after its beginning, which may be black, and before its end", () => {
  const files = sheetsOf(1, 1).map((file) => ({
    ...{ ...file, quality: null, version: 3, contentType: "x/x" },
    ...{ bytes: 1, language: null, label: null },
  }));
  const chapters = [0, 7, 12, 14, 38].map((atSeconds) => ({ atSeconds, title: "" }));
  const size = { width: 1920, height: 1080 };
  const { markers } = videoContents("id", { files, markers: chapters, seconds: 40, ...size });
  // Pictures of 0, 5, 10 … 35 s.
  expect(markers.map(({ picture }) => (picture?.x ?? 0) / 32)).toEqual([5, 10, 10, 15, 35]);
});

test("a page of a large set reads the photos of this page only, and past its end those of the last one", async () => {
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

test("the previews of a locked set have pages of their own, whatever their positions", async () => {
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
