import { isDay } from "#app/dates.ts";
import { MAX_ADDRESS_LENGTH, trimInvisible } from "#app/texts.ts";
import { AUDIT_ACTIONS, type AuditAction } from "./audit-actions.ts";

export interface AuditFilters {
  /** An email address, or the name of a program. */
  actor: string | null;
  action: AuditAction | null;
  /** A part of an item's title as it was then, an id, or a person's email address. */
  subject: string | null;
  /** Days of the site's time zone as "2026-11-26", both included. */
  from: string | null;
  to: string | null;
}

export interface AuditCursor {
  olderThan: number | null;
  newerThan: number | null;
}

/** A filter that cannot be read counts as none. */
export function readAuditFilters(query: URLSearchParams): AuditFilters {
  return {
    actor: readText(query.get("actor")),
    action: AUDIT_ACTIONS.find((action) => action === query.get("action")) ?? null,
    subject: readText(query.get("subject")),
    from: readDay(query.get("from")),
    to: readDay(query.get("to")),
  };
}

export function isFiltered(filters: AuditFilters): boolean {
  return Object.values(filters).some((value) => value !== null);
}

export function readAuditCursor(query: URLSearchParams): AuditCursor {
  return { olderThan: readId(query.get("before")), newerThan: readId(query.get("after")) };
}

function readText(text: string | null): string | null {
  if (text === null || text.length > MAX_ADDRESS_LENGTH || text.includes("\0")) return null;
  return trimInvisible(text) || null;
}

function readDay(text: string | null): string | null {
  return text !== null && isDay(text) ? text : null;
}

function readId(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
