import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { recordVisits } from "#app/domain/auth/users.server.ts";
import { OwnMark, ownMarks } from "#app/domain/catalog/newest.server.ts";
import { db } from "#db/client.server.ts";
import { readRows } from "#db/rows.ts";
import { users } from "#db/schema/auth.ts";
import { views } from "#db/schema/viewing.ts";
import { createPhotoSet, createVideo } from "#tests/support/media.ts";
import { createMember } from "#tests/support/people.ts";
import { findHomePage } from "./home-page.server.ts";

let id: string;
beforeEach(async () => {
  id = (await createMember()).id;
});

async function wait(minutes: number): Promise<void> {
  await db
    .update(users)
    .set({ lastSeenAt: sql`${users.lastSeenAt} - make_interval(mins => ${minutes})` })
    .where(eq(users.id, id));
}

test("home shows what was published since the previous visit", async () => {
  const viewer = { isAdult: true, user: { id, role: "member" as const }, subscription: null };
  await recordVisits([id]);
  await wait(120);
  await recordVisits([id]);
  await createVideo({ title: "Before", publishAt: new Date(Date.now() - 121 * 60_000) });
  await createVideo({ title: "After", publishAt: new Date(Date.now() - 180_000) });
  await createPhotoSet({ title: "A set", publishAt: new Date(Date.now() - 120_000) });
  const later = await createVideo({ title: "Last", publishAt: new Date(Date.now() - 60_000) });
  const { fresh } = await findHomePage(viewer);
  expect(fresh.cards.map((card) => card.title)).toEqual(["Last", "A set", "After"]);
  expect([fresh.count, fresh.isMore]).toEqual([3, false]);
  expect(fresh.cards[0]?.id).toBe(later.id);
  expect(fresh.cards[0]?.isNew).toBe(true);
});

test("the first page of a visit shows what is new before the visit is recorded", async () => {
  await recordVisits([id]);
  await wait(120);
  const { id: fresh } = await createVideo({
    title: "New now",
    publishAt: new Date(Date.now() - 30 * 60_000),
  });
  const viewer = { isAdult: true, user: { id, role: "member" as const }, subscription: null };
  const home = await findHomePage(viewer);
  expect(home.fresh.cards.find((card) => card.id === fresh)?.isNew).toBe(true);
});

test("an item that was seen to the end is not new", async () => {
  const viewer = { isAdult: true, user: { id, role: "member" as const }, subscription: null };
  await recordVisits([id]);
  await wait(120);
  await recordVisits([id]);
  const begun = await createVideo({ title: "Begun" });
  const seen = await createVideo({ title: "Seen" });
  await db.insert(views).values([
    { userId: id, mediaId: begun.id, progress: 5 },
    { userId: id, mediaId: seen.id, progress: 9, completedAt: new Date() },
  ]);
  const shown = (await findHomePage(viewer)).fresh.cards.map((card) => card.id);
  expect([shown.includes(begun.id), shown.includes(seen.id)]).toEqual([true, false]);
  const marks = await readRows(db, OwnMark)`${ownMarks(id, [begun.id, seen.id])}`;
  expect(Object.fromEntries(marks.map((mark) => [mark.id, mark.is_new]))).toEqual({
    [begun.id]: true,
    [seen.id]: false,
  });
});
