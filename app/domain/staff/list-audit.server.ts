import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { dayAfter, fromZoneTime } from "#app/dates.ts";
import { paths } from "#app/paths.ts";
import { UUID } from "#app/texts.ts";
import { db } from "#db/client.server.ts";
import { json, number, readRows, text, timestamp } from "#db/rows.ts";
import type { AuditAction, AuditSubject } from "./audit-actions.ts";
import type { AuditCursor, AuditFilters } from "./audit-filters.ts";
import { hasRight } from "./rights.ts";

const PAGE_SIZE = 50;
const HISTORY_SHOWN = 8;

/** Actions and subjects may be those of another release. */
export const AuditRow = z.object({
  id: number,
  at: timestamp,
  actor: text,
  action: json<AuditAction>(),
  subjectKind: json<AuditSubject>(),
  subjectId: text,
  subjectName: text.nullable(),
  before: json<Record<string, unknown>>().nullable(),
  after: json<Record<string, unknown>>().nullable(),
});
export type AuditRow = z.infer<typeof AuditRow>;

const columns = sql`id::float8 AS id, at, actor, action, subject_kind AS "subjectKind", subject_id AS "subjectId",
  subject_name AS "subjectName", before, after`;

interface AuditPage {
  entries: AuditRow[];
  older: number | null;
  newer: number | null;
}

export async function listAudit(
  filters: AuditFilters,
  { olderThan, newerThan }: AuditCursor,
  zone: string,
): Promise<AuditPage> {
  const isBackward = olderThan === null && newerThan !== null;
  const beyond = isBackward
    ? sql`id > ${newerThan}`
    : olderThan === null
      ? sql`true`
      : sql`id < ${olderThan}`;
  const found = await readRows(db, AuditRow)`
    SELECT ${columns} FROM audit_log WHERE ${beyond} AND ${sql.join(conditions(filters, zone), sql` AND `)}
    ORDER BY id ${isBackward ? sql`ASC` : sql`DESC`} LIMIT ${PAGE_SIZE + 1}`;
  const hasMore = found.length > PAGE_SIZE;
  const entries = found.slice(0, PAGE_SIZE);
  if (isBackward) entries.reverse();
  const isFirst = isBackward ? !hasMore : olderThan === null;
  const isLast = isBackward ? false : !hasMore;
  return {
    entries,
    older: isLast ? null : (entries.at(-1)?.id ?? null),
    newer: isFirst ? null : (entries[0]?.id ?? null),
  };
}

/** The newest rows of AuditRow about one subject. */
export function selectHistory(subjectId: string): SQL {
  return sql`SELECT ${columns} FROM audit_log WHERE subject_id = ${subjectId} ORDER BY id DESC LIMIT ${HISTORY_SHOWN}`;
}

export async function findHistory(member: Parameters<typeof hasRight>[0], subject: string) {
  const entries = await readRows(db, AuditRow)`${selectHistory(subject)}`;
  return { entries, allEntries: hasRight(member, "site") ? paths.studioAudit({ subject }) : null };
}

function conditions({ actor, action, subject, from, to }: AuditFilters, zone: string): SQL[] {
  return [
    sql`true`,
    ...(actor === null ? [] : [sql`lower(actor) = lower(${actor})`]),
    ...(action === null ? [] : [sql`action = ${action}`]),
    ...(subject === null ? [] : [subjectIs(subject)]),
    ...momentIs(sql`at >=`, from, zone),
    ...momentIs(sql`at <`, to && dayAfter(to), zone),
  ];
}

/** No condition for a day beyond the calendar of JavaScript. */
function momentIs(comparison: SQL, day: string | null, zone: string): SQL[] {
  const start = day === null ? null : fromZoneTime(`${day}T00:00`, zone);
  return start === null ? [] : [sql`${comparison} ${start.toISOString()}::timestamptz`];
}

function subjectIs(subject: string): SQL {
  if (UUID.test(subject)) return sql`subject_id = ${subject}`;
  if (!subject.includes("@")) {
    const isIn = (title: SQL) => sql`strpos(lower(${title}), lower(${subject})) > 0`;
    // As an array, it is read once and not for each entry.
    return sql`(subject_id = ${subject} OR ${isIn(sql`subject_name`)}
      OR (subject_kind = 'bulkChange' AND subject_id = ANY(ARRAY(
        SELECT DISTINCT bulk_change_id::text FROM bulk_change_items WHERE ${isIn(sql`title`)}))))`;
  }
  return sql`subject_kind = 'user' AND lower(after ->> 'email') = lower(${subject})`;
}
