import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { addDays, fromZoneTime, toZoneTime } from "#app/dates.ts";
import { db } from "#db/client.server.ts";
import { createPhotoSet, createVideo } from "#tests/support/media.ts";
import { listDueToday } from "./due-releases.server.ts";
import { releaseDueMedia } from "./release.server.ts";

/** In one of these it is before noon. */
const EARLY_ZONE = new Date().getUTCHours() < 12 ? "UTC" : "Etc/GMT+12";

test("releases of the day and overdue ones are listed, and those that failed are not", async () => {
  const past = { status: "scheduled", publishAt: new Date(Date.now() - 1_000) } as const;
  const failing = await createPhotoSet({ ...past, photos: 0 });
  const { failed } = await releaseDueMedia();
  expect(failed.map(({ id }) => id)).toEqual([failing.id]);
  const overdue = await createVideo({ status: "scheduled", publishAt: new Date(Date.now() - 86_400_000) });
  const soon = await createVideo({ status: "scheduled", publishAt: new Date(Date.now() + 60_000) });
  await createVideo({ status: "scheduled", publishAt: new Date(Date.now() + 2 * 86_400_000) });
  expect((await listDueToday(EARLY_ZONE, 20)).map(({ id, isOverdue }) => [id, isOverdue])).toEqual([
    [overdue.id, true],
    [soon.id, false],
  ]);
  await db.execute(sql`UPDATE media SET publish_at = now() + interval '2 days' WHERE id = ${soon.id}`);
  expect((await listDueToday(EARLY_ZONE, 20)).map(({ id }) => id)).toEqual([overdue.id]);
});

test.each(["US/Pacific-New", "Canada/East-Saskatchewan", "America/Coyhaique", "America/Havana"])(
  "the day ends by Node's clocks in %s, which a database may not know",
  async (zone) => {
    await db.execute(sql`DELETE FROM media`);
    const tomorrow = toZoneTime(addDays(new Date(), 1), zone).slice(0, 10);
    const midnight = fromZoneTime(`${tomorrow}T00:00`, zone)?.getTime() ?? 0;
    const last = await createVideo({ status: "scheduled", publishAt: new Date(midnight - 1) });
    await createVideo({ status: "scheduled", publishAt: new Date(midnight) });
    expect((await listDueToday(zone, 20)).map(({ id }) => id)).toEqual([last.id]);
  },
);
