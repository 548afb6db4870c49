import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";

export interface DueRelease {
  id: string;
  title: string;
  publishAt: Date;
  /** Nothing has tried to publish it yet. */
  isOverdue: boolean;
}

/** Scheduled for the rest of the day, or overdue. Without failed ones, which are among the problems. */
export async function listDueToday(zone: string, limit: number): Promise<DueRelease[]> {
  const rows = await db.execute<Omit<DueRelease, "publishAt"> & { publishAt: string }>(sql`
    SELECT m.id, m.title, m.publish_at AS "publishAt", m.publish_at <= now() AS "isOverdue" FROM media m
    WHERE m.status = 'scheduled' AND m.publish_problem IS NULL
      AND m.publish_at < date_trunc('day', now(), ${zone}) + interval '1 day'
    ORDER BY m.publish_at, m.id LIMIT ${limit}`);
  return rows.map(({ publishAt, ...release }) => ({ ...release, publishAt: new Date(publishAt) }));
}

export async function findNextRelease(): Promise<{
  now: Date;
  release: { title: string; publishAt: Date } | null;
}> {
  const [now, [row]] = await Promise.all([
    readDatabaseTime(),
    db.execute<{ title: string; publishAt: string }>(sql`
      SELECT title, publish_at AS "publishAt" FROM media
      WHERE status = 'scheduled' AND publish_at > now() ORDER BY publish_at, id LIMIT 1`),
  ]);
  return { now, release: row ? { title: row.title, publishAt: new Date(row.publishAt) } : null };
}
