import { EVERYTHING } from "#app/domain/staff/audit-filters.ts";
import { listAudit } from "#app/domain/staff/list-audit.server.ts";
import { hasRight } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { siteFacts } from "../pages/site-facts.server.ts";

export type Reader = Parameters<typeof hasRight>[0];

/** The newest entries of the audit log about an item, a creator or a tag, and for an owner the address of all. */
export async function findHistory(member: Reader, subject: string) {
  const newest = { olderThan: null, newerThan: null };
  const { entries } = await listAudit({ ...EVERYTHING, subject }, newest, siteFacts.timeZone);
  return { entries, allEntries: hasRight(member, "site") ? paths.studioAudit({ subject }) : null };
}
