import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { addDays, fromZoneTime, toZoneTime } from "#app/dates.ts";
import { db } from "#db/client.server.ts";
import { createPhotoSet, createVideo } from "#tests/support/media.ts";
import { listOverdue, listPlanned } from "./due-releases.server.ts";
import { releaseDueMedia } from "./release.server.ts";

/** In one of these it is before noon. */
const EARLY_ZONE = new Date().getUTCHours() < 12 ? "UTC" : "Etc/GMT+12";

/** Each with the number of days from today. */
const plannedIn = async (zone: string) =>
  (await listPlanned(zone)).flatMap(({ releases }, days) => releases.map(({ id }) => [days, id]));

test("releases of the next four weeks and overdue ones are listed, and those that failed are not", async () => {
  const past = { status: "scheduled", publishAt: new Date(Date.now() - 1_000) } as const;
  const failing = await createPhotoSet({ ...past, photos: 0 });
  const { failed } = await releaseDueMedia();
  expect(failed.map(({ id }) => id)).toEqual([failing.id]);
  const overdue = await createVideo({ status: "scheduled", publishAt: new Date(Date.now() - 86_400_000) });
  const soon = await createVideo({ status: "scheduled", publishAt: new Date(Date.now() + 60_000) });
  const later = await createVideo({ status: "scheduled", publishAt: addDays(new Date(), 2) });
  expect((await listOverdue(20)).map(({ id }) => id)).toEqual([overdue.id]);
  expect(await plannedIn(EARLY_ZONE)).toEqual([
    [0, soon.id],
    [2, later.id],
  ]);
  await db.execute(sql`UPDATE media SET publish_at = now() + interval '29 days' WHERE id = ${soon.id}`);
  expect(await plannedIn(EARLY_ZONE)).toEqual([[2, later.id]]);
});

test("a day with many releases shows the first eight, and says that there are more", async () => {
  await db.execute(sql`DELETE FROM media`);
  const publishAt = addDays(new Date(), 3);
  for (let number = 0; number < 9; number += 1) await createVideo({ status: "scheduled", publishAt });
  const [full] = (await listPlanned("UTC")).filter(({ hasMore }) => hasMore);
  expect(full).toMatchObject({ day: publishAt.toISOString().slice(0, 10), releases: { length: 8 } });
});

test.each(["US/Pacific-New", "Canada/East-Saskatchewan", "America/Coyhaique", "America/Havana"])(
  "the day ends by Node's clocks in %s, which a database may not know",
  async (zone) => {
    await db.execute(sql`DELETE FROM media`);
    const tomorrow = toZoneTime(addDays(new Date(), 1), zone).slice(0, 10);
    const midnight = fromZoneTime(`${tomorrow}T00:00`, zone)?.getTime() ?? 0;
    const last = await createVideo({ status: "scheduled", publishAt: new Date(midnight - 1) });
    const next = await createVideo({ status: "scheduled", publishAt: new Date(midnight) });
    expect(await plannedIn(zone)).toEqual([
      [0, last.id],
      [1, next.id],
    ]);
  },
);
