import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { favorites } from "#db/schema/favorites.ts";
import { createPhotoSet, createVideo } from "#tests/support/media.ts";
import { createMember } from "#tests/support/people.ts";
import { parseFavoriteFilters } from "./favorite-filters.ts";
import { removeFavorite, saveFavorite } from "./favorites.server.ts";
import { listFavorites } from "./list-favorites.server.ts";
import { listPhotoFavorites } from "./list-photo-favorites.server.ts";
import { removePhotoFavorite, savePhotoFavorite } from "./photo-favorites.server.ts";

const viewerOf = (id: string) => ({
  isAdult: true,
  user: { id, role: "member" as const },
  subscription: null,
});
const subscriberOf = (id: string) => ({ ...viewerOf(id), subscription: { state: "running" as const } });
const filters = (query: string) => parseFavoriteFilters(new URLSearchParams(query));

test("a missing record becomes true, an existing one keeps its value, and an explicit value is set", async () => {
  const { id: userId } = await createMember();
  const { id: mediaId } = await createVideo();
  expect(await saveFavorite(userId, mediaId, null)).toEqual({
    id: expect.any(String),
    isFavorited: true,
    mediaId,
    userId,
  });
  await removeFavorite(userId, mediaId);
  expect(await saveFavorite(userId, mediaId, null)).toMatchObject({ isFavorited: false });
  expect(await saveFavorite(userId, mediaId, true)).toMatchObject({ isFavorited: true });
  const stored = await db.select().from(favorites).where(eq(favorites.userId, userId));
  expect(stored).toMatchObject([{ mediaId, isFavorited: true }]);
});

test("twenty concurrent clicks leave one record, and unknown media leaves none", async () => {
  const { id: userId } = await createMember();
  const { id: mediaId } = await createVideo();
  await Promise.all(Array.from({ length: 20 }, () => saveFavorite(userId, mediaId, true)));
  const [row] = await db.execute<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM favorites WHERE user_id = ${userId}`,
  );
  expect(row?.n).toBe(1);
  expect(await saveFavorite(userId, "00000000-0000-4000-8000-000000000000", true)).toBeNull();
});

test("the list has counts, types, search and orders, and nothing of anybody else", async () => {
  const [{ id: userId }, { id: other }] = [await createMember(), await createMember()];
  const video = await createVideo({ title: "Amber hour" });
  const set = await createPhotoSet({ title: "Zinc" });
  const othersVideo = await createVideo();
  await saveFavorite(userId, set.id, true);
  await saveFavorite(userId, video.id, true);
  await saveFavorite(other, othersVideo.id, true);
  const ids = async (query: string) =>
    (await listFavorites(viewerOf(userId), filters(query))).favorites.map(({ card }) => card?.id);
  expect(await ids("")).toEqual([video.id, set.id]);
  expect(await ids("type=photoSet")).toEqual([set.id]);
  expect(await ids("sort=title&q=amber")).toEqual([video.id]);
  const { counts, page, pages } = await listFavorites(viewerOf(userId), filters("page=99"));
  expect({ counts, page, pages }).toEqual({
    counts: { all: 2, video: 1, photoSet: 1, photo: 0 },
    page: 1,
    pages: 1,
  });
});

test("a favorite that was taken down is a tombstone without any of its text, and can be removed", async () => {
  const { id: userId } = await createMember();
  const { id: mediaId } = await createVideo({ status: "takenDown", title: "Gone from here" });
  await saveFavorite(userId, mediaId, true);
  const { favorites } = await listFavorites(viewerOf(userId), filters(""));
  expect(favorites).toEqual([{ card: null, mediaId }]);
  await removeFavorite(userId, mediaId);
  expect((await listFavorites(viewerOf(userId), filters(""))).favorites).toEqual([]);
});

test("no order of the list reveals the title or date of a hidden favorite", async () => {
  const { id: userId } = await createMember();
  const publishedAgo = (seconds: number) => ({ publishAt: new Date(Date.now() - seconds * 1000) });
  const amber = await createVideo({ title: "Amber", ...publishedAgo(300) });
  const birch = await createVideo({ title: "Birch", ...publishedAgo(200) });
  const cedar = await createVideo({ title: "Cedar", ...publishedAgo(100) });
  for (const { id } of [cedar, amber, birch]) await saveFavorite(userId, id, true);
  await db.execute(sql`UPDATE media SET status = 'draft' WHERE id = ${birch.id}`);
  const ids = async (query: string) =>
    (await listFavorites(viewerOf(userId), filters(query))).favorites.map(
      (favorite) => favorite.card?.id ?? "hidden",
    );
  expect(await ids("sort=title")).toEqual([amber.id, cedar.id, "hidden"]);
  expect(await ids("sort=newest")).toEqual([cedar.id, amber.id, "hidden"]);
  expect(await ids("sort=marked")).toEqual(["hidden", amber.id, cedar.id]);
  expect(await ids("q=birch")).toEqual([]);
});

test("twenty-five favorites make two numbered pages", async () => {
  const { id: userId } = await createMember();
  for (let index = 0; index < 25; index++) {
    await saveFavorite(userId, (await createVideo()).id, true);
  }
  const first = await listFavorites(viewerOf(userId), filters(""));
  const second = await listFavorites(viewerOf(userId), filters("page=2"));
  expect([first.favorites.length, second.favorites.length, second.pages]).toEqual([24, 1, 2]);
});

test("a photo becomes a favorite once, only where it may be seen, and is listed as the newest", async () => {
  const { id: userId } = await createMember();
  const { id: mediaId, slug, title } = await createPhotoSet({ photos: 4, previews: 1 });
  const marked = { mediaId, isFavorited: true, userId };
  expect(await savePhotoFavorite(userId, { mediaId, photo: 1 }, false)).toEqual({ ...marked, photo: 1 });
  expect(
    await savePhotoFavorite(userId, { mediaId, photo: 3 }, false),
    "neither a preview nor open",
  ).toBeNull();
  expect(await savePhotoFavorite(userId, { mediaId, photo: 9 }, true), "no such photo").toBeNull();
  await Promise.all([1, 2, 3].map(() => savePhotoFavorite(userId, { mediaId, photo: 3 }, true)));

  const { photos, ...page } = await listPhotoFavorites(subscriberOf(userId), 99);
  const counts = { all: 0, video: 0, photoSet: 0, photo: 2 };
  expect(page).toEqual({ counts, page: 1, pages: 1 });
  const set = { slug, title, count: 4, isLocked: false };
  expect(photos).toMatchObject([
    { photo: 3, shown: { ...set, position: 3, picture: { url: paths.mediaFile(mediaId, "photo-3") } } },
    { photo: 1, shown: { ...set, position: 1 } },
  ]);
  expect((await listFavorites(viewerOf(userId), filters(""))).counts).toEqual(counts);

  const { id: other } = await createMember();
  expect((await listPhotoFavorites(viewerOf(other), 1)).photos).toEqual([]);
  await removePhotoFavorite(other, { mediaId, photo: 3 });
  expect((await listPhotoFavorites(subscriberOf(userId), 1)).photos).toHaveLength(2);
  for (const _ of ["removes it", "finds nothing"]) {
    expect(await removePhotoFavorite(userId, { mediaId, photo: 3 })).toMatchObject({ isFavorited: false });
  }
  expect((await listPhotoFavorites(subscriberOf(userId), 1)).photos).toHaveLength(1);
});

test("a favorite photo is locked without a subscription, and a tombstone when it is left out or its set is hidden", async () => {
  const { id: userId } = await createMember();
  const { id: mediaId } = await createPhotoSet();
  await savePhotoFavorite(userId, { mediaId, photo: 2 }, true);
  const listed = async () => (await listPhotoFavorites(viewerOf(userId), 1)).photos;
  const blur = paths.mediaFile(mediaId, "blur");
  expect(await listed()).toMatchObject([{ shown: { isLocked: true, picture: { url: blur } } }]);
  expect(JSON.stringify(await listed())).not.toContain("photo-2");

  const tombstone = [{ mediaId, photo: 2, shown: null }];
  const leftOut = sql`UPDATE photos SET position = NULL, left_out_at = now() WHERE media_id = ${mediaId} AND number = 2`;
  await db.execute(leftOut);
  expect(await listed()).toEqual(tombstone);
  expect(await savePhotoFavorite(userId, { mediaId, photo: 2 }, true)).toBeNull();
  await db.execute(
    sql`UPDATE photos SET position = 2, left_out_at = NULL WHERE media_id = ${mediaId} AND number = 2`,
  );
  await db.execute(sql`UPDATE media SET status = 'hidden' WHERE id = ${mediaId}`);
  expect(await listed()).toEqual(tombstone);
  await removePhotoFavorite(userId, { mediaId, photo: 2 });
  expect(await listed()).toEqual([]);
});
