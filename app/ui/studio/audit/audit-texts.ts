import { count } from "#app/counts.ts";
import type { BulkChange } from "#app/domain/catalog/edit/bulk/bulk-change.ts";
import type { CoverSource } from "#app/domain/catalog/edit/files/covers.server.ts";
import type { TrailerRange } from "#app/domain/catalog/edit/files/trailer-range.ts";
import type { FieldValue } from "#app/domain/catalog/edit/item/sections.ts";
import type { SiteSection, SiteSetting } from "#app/domain/site/settings.ts";
import type { AuditAction } from "#app/domain/staff/audit-actions.ts";
import type { AuditRow } from "#app/domain/staff/list-audit.server.ts";
import type { Role } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { quoted } from "#app/texts.ts";
import { clock } from "#app/ui/parts/clock.ts";
import type { AuditChange } from "../entry-changes.tsx";
import { type FormatMoment, fieldLabel, fieldText } from "../field-texts.ts";
import { ACCESS_SHORT } from "../media-labels.ts";
import { SETTING_LABELS, SITE_SECTION_TEXTS, settingText } from "../settings/setting-texts.ts";
import { ROLE_TEXTS } from "../staff/role-texts.ts";

interface Told {
  /** The name of the item, creator or tag at that time, in quotation marks. */
  item: string;
  /** "3 items" */
  items: string;
  /** What the entry has of before and after. */
  facts: Record<string, unknown>;
  at: FormatMoment;
  subjectId: string | undefined;
}

/** In the order of the filter. The second text follows the actor's name. */
const ACTIONS: Record<AuditAction, [label: string, did: (told: Told) => string]> = {
  "media.imported": ["Item imported", ({ item }) => `imported ${item}`],
  "media.edited": ["Item edited", ({ item }) => `edited ${item}`],
  "media.remade": ["Files recreated", ({ item }) => `recreated the files of ${item}`],
  "media.published": ["Item published", ({ item }) => `published ${item}`],
  "media.scheduled": ["Item scheduled", ({ item }) => `scheduled ${item}`],
  "media.madeDraft": ["Item moved back to drafts", ({ item }) => `moved ${item} back to drafts`],
  "media.hidden": ["Item hidden", ({ item }) => `hid ${item}`],
  "media.shown": ["Item shown again", ({ item }) => `showed ${item} again`],
  "media.takenDown": ["Item taken down", ({ item }) => `took ${item} down`],
  "media.broughtBack": ["Item brought back", ({ item }) => `brought ${item} back`],
  "media.deleted": ["Item deleted", ({ item }) => `deleted ${item} for good`],
  "media.coverChanged": [
    "Cover changed",
    ({ item, facts }) => `changed the cover of ${item} to ${coverText(facts)}`,
  ],
  "media.captionsSaved": [
    "Captions saved",
    ({ item, facts }) => `saved the captions ${named(facts.captions)} for ${item}`,
  ],
  "media.captionsRenamed": ["Captions renamed", ({ item }) => `renamed captions for ${item}`],
  "media.captionsRemoved": [
    "Captions removed",
    ({ item, facts }) => `removed the captions ${named(facts.captions)} from ${item}`,
  ],
  "media.photoAdded": ["Photo added", ({ item, facts }) => `added ${photoText(facts)} to ${item}`],
  "media.photoReplaced": ["Photo replaced", ({ item, facts }) => `replaced ${photoText(facts)} of ${item}`],
  "media.photoLeftOut": ["Photo left out", ({ item, facts }) => `left out ${photoText(facts)} of ${item}`],
  "media.photoBroughtBack": [
    "Photo brought back",
    ({ item, facts }) => `brought back ${photoText(facts)} of ${item}`,
  ],
  "media.photosReordered": ["Photos reordered", ({ item }) => `changed the order of the photos of ${item}`],
  "media.trailerChanged": [
    "Trailer chosen",
    ({ item, facts }) => `chose a trailer for ${item}, ${rangeText(facts)}`,
  ],
  "media.trailerRemoved": ["Trailer removed", ({ item }) => `removed the trailer of ${item}`],
  "original.fetched": [
    "Original downloaded",
    ({ item, facts }) => `downloaded the original of ${originalText(item, facts)}`,
  ],
  "encoding.retried": ["Encoding retried", ({ item }) => `retried the failed files of ${item}`],
  "encoding.cancelled": ["Encoding canceled", ({ item }) => `canceled the encoding of ${item}`],
  "encoding.queued": [
    "Encoding started again",
    ({ item, facts }) =>
      `started encoding ${facts.part === "trailer" ? "the trailer" : "all files"} of ${item} again`,
  ],
  "draftLink.made": ["Draft link created", ({ item }) => `created a draft link for ${item}`],
  "draftLink.revoked": ["Draft link revoked", ({ item }) => `revoked a draft link for ${item}`],
  "bulk.confirmed": ["Items changed in bulk", (told) => describeBulk(told.facts.change as BulkChange, told)],
  "bulk.stopped": [
    "Bulk change stopped",
    ({ items, facts }) =>
      `stopped a bulk change; ${items} ${facts.items === 1 ? "was" : "were"} left unchanged`,
  ],
  "creator.created": ["Creator added", ({ item }) => `added the creator ${item}`],
  "creator.edited": ["Creator edited", ({ item }) => `edited the creator ${item}`],
  "creator.portraitChanged": ["Portrait changed", ({ item }) => `changed the portrait of ${item}`],
  "creator.portraitRemoved": ["Portrait removed", ({ item }) => `removed the portrait of ${item}`],
  "creator.merged": [
    "Creators merged",
    ({ item, items, facts }) => `merged ${item} into ${named(facts.into)}, with ${items}`,
  ],
  "creator.deleted": ["Creator deleted", ({ item }) => `deleted the creator ${item}`],
  "tag.renamed": ["Tag renamed", ({ item }) => `renamed the tag ${item}`],
  "tag.merged": [
    "Tags merged",
    ({ item, items, facts }) => `merged the tag ${item} into ${named(facts.into)}, with ${items}`,
  ],
  "tag.deleted": ["Tag deleted", ({ item, items }) => `deleted the tag ${item} from ${items}`],
  "role.changed": ["Role changed", ({ facts }) => roleText(facts)],
  "price.added": ["Price added", ({ item }) => `put the price ${item} on sale`],
  "price.ended": ["Price ended", ({ item }) => `ended the price ${item}`],
  "renewals.ended": [
    "Renewals ended",
    ({ item, facts }) => `ended ${count(Number(facts.ended), "renewal")} at the payment provider ${item}`,
  ],
  "sale.linked": ["Sale linked", ({ item }) => `linked the sale ${item} to its buyer`],
  "site.edited": [
    "Settings changed",
    ({ subjectId }) =>
      `changed a setting: ${SITE_SECTION_TEXTS[subjectId as SiteSection]?.inSentence ?? "unknown"}`,
  ],
};

export const ACTION_OPTIONS = Object.entries(ACTIONS).map(([action, [label]]) => [action, label] as const);

type Described = Pick<AuditRow, "action" | "subjectName" | "before" | "after"> & { subjectId?: string };

/** Follows the actor's name: "made ada@example.com an editor". An action of another release is named as it is. */
export function describeEntry(
  { action, subjectId, subjectName, before, after }: Described,
  at: FormatMoment,
) {
  const item = subjectName === null ? "an item" : quoted(subjectName);
  const facts = { ...before, ...after };
  const [, did] = ACTIONS[action] ?? [];
  return did?.({ item, items: count(Number(facts.items), "item"), facts, at, subjectId }) ?? action;
}

export function subjectPath({ subjectKind, subjectId }: Pick<AuditRow, "subjectKind" | "subjectId">) {
  if (subjectKind === "media") return paths.studioItem(subjectId);
  if (subjectKind === "creator" || subjectKind === "tag") return paths.studioName(subjectKind, subjectId);
  if (subjectKind === "price") return paths.studioPlans();
  if (subjectKind === "site") return paths.studioSettings(subjectId);
  return subjectKind === "bulkChange" ? paths.studioBulk({ running: subjectId }) : null;
}

export function changesOf({ before, after }: Described, at: FormatMoment): AuditChange[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields
    .filter((field) => !SAID.includes(field))
    .map((field) => ({
      field,
      name: field === "role" ? "Role" : (SETTING_LABELS[field as SiteSetting] ?? fieldLabel(field)),
      was: text(field, before?.[field], at),
      is: text(field, after?.[field], at),
    }))
    .filter(({ was, is }) => was !== is);
}

export function historyOf(entries: AuditRow[], at: FormatMoment) {
  return entries.map((entry) => ({
    id: entry.id,
    at: at(entry.at),
    actor: entry.actor,
    did: describeEntry(entry, at),
    changes: changesOf(entry, at),
  }));
}

/** describeEntry() says these, or people cannot read them: an order of photos, the id of a draft link. */
const SAID = [
  "part",
  "change",
  "items",
  "into",
  "email",
  "link",
  "draftLinks",
  "photo",
  "number",
  "order",
  "cover",
  "language",
  "trailer",
];

function named(name: unknown): string {
  return quoted(String(name));
}

function rangeText({ trailer }: Record<string, unknown>): string {
  const { from, to } = trailer as TrailerRange;
  return `from ${clock(Math.floor(from))} to ${clock(Math.floor(to))}`;
}

function roleText({ email, role, draftLinks }: Record<string, unknown>): string {
  const made = `made ${email} ${ROLE_TEXTS[role as Role]?.withArticle ?? role}`;
  return draftLinks === undefined ? made : `${made}, which ended ${count(Number(draftLinks), "draft link")}`;
}

function originalText(item: string, facts: Record<string, unknown>): string {
  return facts.photo === undefined ? item : `${photoText(facts)} of ${item}`;
}

/** The photo's number at that time. */
function photoText({ photo }: Record<string, unknown>): string {
  return typeof photo === "number" ? `photo ${photo}` : "a left-out photo";
}

function coverText(facts: Record<string, unknown>): string {
  const source = facts.cover as CoverSource;
  switch (source.kind) {
    case "moment":
      return `the frame at ${clock(Math.floor(source.seconds))}`;
    case "photo":
      return photoText(facts);
    case "picture":
      return "an uploaded picture";
  }
}

const TRANSITION_ACTIONS: Record<Extract<BulkChange, { kind: "state" }>["transition"], AuditAction> = {
  publish: "media.published",
  makeDraft: "media.madeDraft",
  hide: "media.hidden",
  show: "media.shown",
  takeDown: "media.takenDown",
  bringBack: "media.broughtBack",
};

function describeBulk(change: BulkChange, told: Told): string {
  const { items, at } = told;
  switch (change.kind) {
    case "access":
      return `changed the access of ${items} to ${ACCESS_SHORT[change.access]}`;
    case "download":
      return `${change.allowDownload ? "allowed" : "stopped"} downloads of ${items}`;
    case "addTag":
      return `added the tag ${quoted(change.name)} to ${items}`;
    case "removeTag":
      return `removed the tag ${quoted(change.name)} from ${items}`;
    case "addCreator":
      return `credited ${quoted(change.name)} on ${items}`;
    case "removeCreator":
      return `removed the credit ${quoted(change.name)} from ${items}`;
    case "publishAt":
      return `scheduled ${items} for ${at(new Date(change.publishAt))}`;
    case "state":
      return ACTIONS[TRANSITION_ACTIONS[change.transition]][1]({ ...told, item: items });
  }
}

function text(field: string, value: unknown, at: FormatMoment): string {
  if (field === "role") return ROLE_TEXTS[value as Role]?.label ?? "nothing";
  if (field in SETTING_LABELS) return settingText(field as SiteSetting, String(value ?? "")) || "the default";
  return fieldText(field, value as FieldValue | undefined, at) || "nothing";
}
