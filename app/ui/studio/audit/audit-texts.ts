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

/** For the filter, in the order of its options. */
export const ACTION_LABELS: Record<AuditAction, string> = {
  "media.imported": "Item imported",
  "media.edited": "Item edited",
  "media.remade": "Files recreated",
  "media.published": "Item published",
  "media.scheduled": "Item scheduled",
  "media.madeDraft": "Item moved back to drafts",
  "media.hidden": "Item hidden",
  "media.shown": "Item shown again",
  "media.takenDown": "Item taken down",
  "media.broughtBack": "Item brought back",
  "media.deleted": "Item deleted",
  "media.coverChanged": "Cover changed",
  "media.captionsSaved": "Captions saved",
  "media.captionsRenamed": "Captions renamed",
  "media.captionsRemoved": "Captions removed",
  "media.photoAdded": "Photo added",
  "media.photoReplaced": "Photo replaced",
  "media.photoLeftOut": "Photo left out",
  "media.photoBroughtBack": "Photo brought back",
  "media.photosReordered": "Photos reordered",
  "media.trailerChanged": "Trailer chosen",
  "media.trailerRemoved": "Trailer removed",
  "original.fetched": "Original downloaded",
  "encoding.retried": "Encoding retried",
  "encoding.cancelled": "Encoding canceled",
  "encoding.queued": "Encoding started again",
  "draftLink.made": "Draft link created",
  "draftLink.revoked": "Draft link revoked",
  "bulk.confirmed": "Items changed in bulk",
  "bulk.stopped": "Bulk change stopped",
  "creator.created": "Creator added",
  "creator.edited": "Creator edited",
  "creator.portraitChanged": "Portrait changed",
  "creator.portraitRemoved": "Portrait removed",
  "creator.merged": "Creators merged",
  "creator.deleted": "Creator deleted",
  "tag.renamed": "Tag renamed",
  "tag.merged": "Tags merged",
  "tag.deleted": "Tag deleted",
  "role.changed": "Role changed",
  "site.edited": "Settings changed",
};

type Described = Pick<AuditRow, "action" | "subjectName" | "before" | "after"> & { subjectId?: string };

/** Follows the actor's name: "made ada@example.com an editor". */
export function describeEntry(
  { action, subjectId, subjectName, before, after }: Described,
  at: FormatMoment,
): string {
  const item = subjectName === null ? "an item" : quoted(subjectName);
  const facts = { ...before, ...after };
  const items = count(Number(facts.items), "item");
  switch (action) {
    case "bulk.confirmed":
      return describeBulk(facts.change as BulkChange, items, at);
    case "bulk.stopped":
      return `stopped a bulk change; ${items} ${facts.items === 1 ? "was" : "were"} left unchanged`;
    case "role.changed":
      return `made ${facts.email} ${ROLE_TEXTS[facts.role as Role]?.withArticle ?? facts.role}${
        facts.draftLinks === undefined ? "" : `, which ended ${count(Number(facts.draftLinks), "draft link")}`
      }`;
    case "media.coverChanged":
      return `changed the cover of ${item} to ${coverText(facts.cover as CoverSource, facts)}`;
    case "media.captionsSaved":
      return `saved the captions ${quoted(String(facts.captions))} for ${item}`;
    case "media.captionsRenamed":
      return `renamed captions for ${item}`;
    case "media.captionsRemoved":
      return `removed the captions ${quoted(String(facts.captions))} from ${item}`;
    case "media.photoAdded":
      return `added ${photoText(facts)} to ${item}`;
    case "media.photoReplaced":
      return `replaced ${photoText(facts)} of ${item}`;
    case "media.photoLeftOut":
      return `left out ${photoText(facts)} of ${item}`;
    case "media.photoBroughtBack":
      return `brought back ${photoText(facts)} of ${item}`;
    case "media.trailerChanged":
      return `chose a trailer for ${item}, ${rangeText(facts.trailer as TrailerRange)}`;
    case "encoding.queued":
      return `started encoding ${facts.part === "trailer" ? "the trailer" : "all files"} of ${item} again`;
    case "original.fetched":
      return facts.photo === undefined
        ? `downloaded the original of ${item}`
        : `downloaded the original of ${photoText(facts)} of ${item}`;
    case "creator.merged":
      return `merged ${item} into ${quoted(String(facts.into))}, with ${items}`;
    case "tag.merged":
      return `merged the tag ${item} into ${quoted(String(facts.into))}, with ${items}`;
    case "tag.deleted":
      return `deleted the tag ${item} from ${items}`;
    case "site.edited":
      return `changed a setting: ${SITE_SECTION_TEXTS[subjectId as SiteSection]?.inSentence ?? "unknown"}`;
    default:
      return DEEDS[action]?.(item) ?? action;
  }
}

export function subjectPath({ subjectKind, subjectId }: Pick<AuditRow, "subjectKind" | "subjectId">) {
  if (subjectKind === "media") return paths.studioItem(subjectId);
  if (subjectKind === "creator" || subjectKind === "tag") return paths.studioName(subjectKind, subjectId);
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

type ItemAction = Exclude<
  AuditAction,
  | "bulk.confirmed"
  | "bulk.stopped"
  | "encoding.queued"
  | "role.changed"
  | "media.coverChanged"
  | "media.captionsSaved"
  | "media.captionsRenamed"
  | "media.captionsRemoved"
  | "media.photoAdded"
  | "media.photoReplaced"
  | "media.photoLeftOut"
  | "media.photoBroughtBack"
  | "media.trailerChanged"
  | "original.fetched"
  | "creator.merged"
  | "tag.merged"
  | "tag.deleted"
  | "site.edited"
>;

const DEEDS: Record<ItemAction, (item: string) => string> = {
  "media.imported": (item) => `imported ${item}`,
  "media.edited": (item) => `edited ${item}`,
  "media.remade": (item) => `recreated the files of ${item}`,
  "media.published": (item) => `published ${item}`,
  "media.scheduled": (item) => `scheduled ${item}`,
  "media.madeDraft": (item) => `moved ${item} back to drafts`,
  "media.hidden": (item) => `hid ${item}`,
  "media.shown": (item) => `showed ${item} again`,
  "media.takenDown": (item) => `took ${item} down`,
  "media.broughtBack": (item) => `brought ${item} back`,
  "media.deleted": (item) => `deleted ${item} for good`,
  "media.photosReordered": (item) => `changed the order of the photos of ${item}`,
  "media.trailerRemoved": (item) => `removed the trailer of ${item}`,
  "encoding.retried": (item) => `retried the failed files of ${item}`,
  "encoding.cancelled": (item) => `canceled the encoding of ${item}`,
  "draftLink.made": (item) => `created a draft link for ${item}`,
  "draftLink.revoked": (item) => `revoked a draft link for ${item}`,
  "creator.created": (item) => `added the creator ${item}`,
  "creator.edited": (item) => `edited the creator ${item}`,
  "creator.portraitChanged": (item) => `changed the portrait of ${item}`,
  "creator.portraitRemoved": (item) => `removed the portrait of ${item}`,
  "creator.deleted": (item) => `deleted the creator ${item}`,
  "tag.renamed": (item) => `renamed the tag ${item}`,
};

function rangeText({ from, to }: TrailerRange): string {
  return `from ${clock(Math.floor(from))} to ${clock(Math.floor(to))}`;
}

/** The photo's number at that time. */
function photoText({ photo }: Record<string, unknown>): string {
  return typeof photo === "number" ? `photo ${photo}` : "a left-out photo";
}

function coverText(source: CoverSource, facts: Record<string, unknown>): string {
  switch (source.kind) {
    case "moment":
      return `the frame at ${clock(Math.floor(source.seconds))}`;
    case "photo":
      return photoText(facts);
    case "picture":
      return "an uploaded picture";
  }
}

const TRANSITION_DEEDS: Record<Extract<BulkChange, { kind: "state" }>["transition"], ItemAction> = {
  publish: "media.published",
  makeDraft: "media.madeDraft",
  hide: "media.hidden",
  show: "media.shown",
  takeDown: "media.takenDown",
  bringBack: "media.broughtBack",
};

function describeBulk(change: BulkChange, items: string, at: FormatMoment): string {
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
      return DEEDS[TRANSITION_DEEDS[change.transition]](items);
  }
}

function text(field: string, value: unknown, at: FormatMoment): string {
  if (field === "role") return ROLE_TEXTS[value as Role]?.label ?? "nothing";
  if (field in SETTING_LABELS) return settingText(field as SiteSetting, String(value ?? "")) || "the default";
  return fieldText(field, value as FieldValue | undefined, at) || "nothing";
}
