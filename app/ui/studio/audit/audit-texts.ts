import type { AuditAction } from "#app/domain/staff/audit-actions.ts";
import type { AuditRow } from "#app/domain/staff/list-audit.server.ts";
import type { Role } from "#app/domain/staff/rights.ts";
import { ROLE_TEXTS } from "../staff/role-texts.ts";

/** For the filter, in the order of its options. */
export const ACTION_LABELS: Record<AuditAction, string> = {
  "media.edited": "Item edited",
  "media.published": "Item published",
  "media.scheduled": "Item scheduled",
  "media.madeDraft": "Item made a draft",
  "media.hidden": "Item hidden",
  "media.shown": "Item shown again",
  "media.takenDown": "Item taken down",
  "media.broughtBack": "Item brought back",
  "media.deleted": "Item deleted",
  "draftLink.made": "Draft link made",
  "draftLink.revoked": "Draft link revoked",
  "bulk.confirmed": "Many items changed",
  "role.changed": "Role changed",
};

type Described = Pick<AuditRow, "action" | "before" | "after">;

/** The deed, worded to follow the actor's name: "made ada@example.com an editor". */
export function describeEntry({ action, before, after }: Described): string {
  const facts = { ...before, ...after };
  const item = typeof facts.title === "string" ? `“${facts.title}”` : "an item";
  const texts: Record<AuditAction, () => string> = {
    "media.edited": () => `edited ${item}`,
    "media.published": () => `published ${item}`,
    "media.scheduled": () => `scheduled ${item}`,
    "media.madeDraft": () => `made ${item} a draft`,
    "media.hidden": () => `hid ${item}`,
    "media.shown": () => `showed ${item} again`,
    "media.takenDown": () => `took ${item} down`,
    "media.broughtBack": () => `brought ${item} back`,
    "media.deleted": () => `deleted ${item} for good`,
    "draftLink.made": () => `made a draft link for ${item}`,
    "draftLink.revoked": () => `revoked a draft link for ${item}`,
    "bulk.confirmed": () => "changed many items at once",
    "role.changed": () =>
      `made ${text(facts.email)} ${ROLE_TEXTS[facts.role as Role]?.withArticle ?? text(facts.role)}`,
  };
  return texts[action]?.() ?? action;
}

/** The changed fields, each with its value before and now. */
export function changesOf({ before, after }: Described): { name: string; was: string; is: string }[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => ({ name, was: text(before?.[name]), is: text(after?.[name]) }))
    .filter(({ was, is }) => was !== is);
}

function text(value: unknown): string {
  if (value === undefined || value === null || value === "") return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}
