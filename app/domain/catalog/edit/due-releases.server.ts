import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";

export interface DueRelease {
  id: string;
  title: string;
  publishAt: Date;
}

/** Scheduled for the rest of the day in that time zone, or overdue; the earliest first. */
export async function listDueToday(zone: string, limit: number): Promise<DueRelease[]> {
  const rows = await db.execute<{ id: string; title: string; publishAt: string }>(sql`
    SELECT m.id, m.title, m.publish_at AS "publishAt" FROM media m
    WHERE m.status = 'scheduled' AND m.publish_at < date_trunc('day', now(), ${zone}) + interval '1 day'
    ORDER BY m.publish_at, m.id LIMIT ${limit}`);
  return rows.map(({ publishAt, ...release }) => ({ ...release, publishAt: new Date(publishAt) }));
}
