import { sql } from "drizzle-orm";
import { z } from "zod";
import { dayAfter, startOfZoneDay, toZoneTime } from "#app/dates.ts";
import { db } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { number, readRow, readRows, text, timestamp } from "#db/rows.ts";

const DAYS_PLANNED = 28;
const SHOWN_A_DAY = 8;

/** For a row of media. */
export const IS_DUE = sql`(status = 'scheduled' AND publish_at <= now())`;

const Release = z.object({ title: text, publishAt: timestamp });
const KnownRelease = Release.extend({ id: text });
export type KnownRelease = z.infer<typeof KnownRelease>;

/** Nothing has tried to publish them yet. Failed ones are listed as problems instead. */
export function listOverdue(limit: number): Promise<KnownRelease[]> {
  return readRows(db, KnownRelease)`
    SELECT m.id, m.title, m.publish_at AS "publishAt" FROM media m
    WHERE ${IS_DUE} AND m.publish_problem IS NULL
    ORDER BY m.publish_at, m.id LIMIT ${limit}`;
}

export interface PlannedDay {
  /** "2026-11-27" */
  day: string;
  releases: KnownRelease[];
  hasMore: boolean;
}

const PlannedRelease = KnownRelease.extend({ place: number });
/** For a row `m` of media. There is an index on exactly this expression: items without a plan count as the oldest. */
export const plannedAt = sql`COALESCE(m.publish_at, '-infinity'::timestamptz)`;

/** The next four weeks, today included. */
export async function listPlanned(zone: string): Promise<PlannedDay[]> {
  const days = [toZoneTime(await readDatabaseTime(), zone).slice(0, 10)];
  while (days.length <= DAYS_PLANNED) days.push(dayAfter(days.at(-1) ?? ""));
  // By Node's clocks, because a database may not know the zone.
  const starts = days.map((day) => startOfZoneDay(day, zone).toISOString());
  const found = await readRows(db, PlannedRelease)`
    SELECT release.*, day.place::int AS place
    FROM unnest(${moments(starts.slice(0, -1))}, ${moments(starts.slice(1))})
      WITH ORDINALITY day(first, "end", place)
    CROSS JOIN LATERAL (
      SELECT m.id, m.title, m.publish_at AS "publishAt" FROM media m
      WHERE m.status = 'scheduled' AND ${plannedAt} >= greatest(day.first, now()) AND ${plannedAt} < day."end"
      ORDER BY ${plannedAt}, m.id LIMIT ${SHOWN_A_DAY + 1}
    ) release
    ORDER BY "publishAt", id`;
  return days.slice(0, DAYS_PLANNED).map((day, index) => {
    const releases = found.filter(({ place }) => place === index + 1);
    return { day, releases: releases.slice(0, SHOWN_A_DAY), hasMore: releases.length > SHOWN_A_DAY };
  });
}

function moments(all: string[]) {
  return sql`${sql.param(`{${all.join()}}`)}::timestamptz[]`;
}

export async function findNextRelease(): Promise<{ now: Date; release: z.infer<typeof Release> | null }> {
  const [now, release] = await Promise.all([
    readDatabaseTime(),
    readRow(db, Release)`
      SELECT title, publish_at AS "publishAt" FROM media
      WHERE status = 'scheduled' AND publish_at > now() ORDER BY publish_at, id LIMIT 1`,
  ]);
  return { now, release };
}
