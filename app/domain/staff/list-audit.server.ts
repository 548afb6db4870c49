import { type SQL, sql } from "drizzle-orm";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import type { AuditAction, AuditSubject } from "./audit-actions.ts";
import { type AuditCursor, type AuditFilters, EVERYTHING } from "./audit-filters.ts";
import { hasRight } from "./rights.ts";

const PAGE_SIZE = 50;

export interface AuditRow {
  id: number;
  at: Date;
  actor: string;
  action: AuditAction;
  subjectKind: AuditSubject;
  subjectId: string;
  subjectName: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

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
  const found = await db.execute<Omit<AuditRow, "at"> & { at_ms: number }>(sql`
    SELECT id::float8 AS id, extract(epoch FROM at)::float8 * 1000 AS at_ms, actor, action,
      subject_kind AS "subjectKind", subject_id AS "subjectId", subject_name AS "subjectName", before, after
    FROM audit_log WHERE ${beyond} AND ${sql.join(conditions(filters, zone), sql` AND `)}
    ORDER BY id ${isBackward ? sql`ASC` : sql`DESC`} LIMIT ${PAGE_SIZE + 1}`);
  const hasMore = found.length > PAGE_SIZE;
  const entries = found.slice(0, PAGE_SIZE).map(({ at_ms, ...entry }) => ({ ...entry, at: new Date(at_ms) }));
  if (isBackward) entries.reverse();
  const isFirst = isBackward ? !hasMore : olderThan === null;
  const isLast = isBackward ? false : !hasMore;
  return {
    entries,
    older: isLast ? null : (entries.at(-1)?.id ?? null),
    newer: isFirst ? null : (entries[0]?.id ?? null),
  };
}

export async function findHistory(member: Parameters<typeof hasRight>[0], subject: string, zone: string) {
  const newest = { olderThan: null, newerThan: null };
  const { entries } = await listAudit({ ...EVERYTHING, subject }, newest, zone);
  return { entries, allEntries: hasRight(member, "site") ? paths.studioAudit({ subject }) : null };
}

function conditions({ actor, action, subject, from, to }: AuditFilters, zone: string): SQL[] {
  return [
    sql`true`,
    ...(actor === null ? [] : [sql`lower(actor) = lower(${actor})`]),
    ...(action === null ? [] : [sql`action = ${action}`]),
    ...(subject === null ? [] : [subjectIs(subject)]),
    ...(from === null ? [] : [sql`at >= ${from}::date::timestamp AT TIME ZONE ${zone}::text`]),
    ...(to === null ? [] : [sql`at < (${to}::date + 1)::timestamp AT TIME ZONE ${zone}::text`]),
  ];
}

const ID = /^[0-9a-f-]{36}$/;

function subjectIs(subject: string): SQL {
  if (ID.test(subject)) return sql`subject_id = ${subject}`;
  if (!subject.includes("@"))
    return sql`(subject_id = ${subject} OR strpos(lower(subject_name), lower(${subject})) > 0)`;
  return sql`subject_kind = 'user' AND lower(after ->> 'email') = lower(${subject})`;
}
