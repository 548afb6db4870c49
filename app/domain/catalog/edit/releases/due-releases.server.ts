import { sql } from "drizzle-orm";
import { z } from "zod";
import { dayAfter, startOfZoneDay, toZoneTime } from "#app/dates.ts";
import { db } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { flag, readRow, readRows, text, timestamp } from "#db/rows.ts";

/** For a row of media. */
export const IS_DUE = sql`(status = 'scheduled' AND publish_at <= now())`;

const Release = z.object({ title: text, publishAt: timestamp });
/** `isOverdue`: nothing has tried to publish it yet. */
const DueRelease = Release.extend({ id: text, isOverdue: flag });
export type DueRelease = z.infer<typeof DueRelease>;

/** Items that are overdue, or due before the day ends. Failed ones are listed as problems instead. */
export async function listDueToday(zone: string, limit: number): Promise<DueRelease[]> {
  const today = toZoneTime(await readDatabaseTime(), zone).slice(0, 10);
  const end = startOfZoneDay(dayAfter(today), zone).toISOString();
  return readRows(db, DueRelease)`
    SELECT m.id, m.title, m.publish_at AS "publishAt", ${IS_DUE} AS "isOverdue" FROM media m
    WHERE m.status = 'scheduled' AND m.publish_problem IS NULL
      AND m.publish_at < ${end}::timestamptz
    ORDER BY m.publish_at, m.id LIMIT ${limit}`;
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
