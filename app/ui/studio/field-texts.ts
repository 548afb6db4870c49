import { formatClockTime } from "#app/clock-times.ts";
import type { FieldValue } from "#app/domain/catalog/edit/item/sections.ts";
import { ACCESS_SHORT, STATE_LABELS } from "./media-labels.ts";

export type FormatMoment = (moment: Date) => string;

/** `positions`: of photos, by their ids. */
export function fieldLabel(field: string, positions: Record<string, number> = {}): string {
  const [, kind, photo] = /^(alt|isPreview|position)-(.+)$/.exec(field) ?? [];
  if (photo === undefined) return LABELS[field] ?? field;
  const position = positions[photo];
  const name = position === undefined ? "A photo" : `Photo ${position}`;
  return `${name}, ${PHOTO_LABELS[kind ?? ""]}`;
}

export function fieldText(field: string, value: FieldValue | undefined, at: FormatMoment): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "string") return TEXTS[field]?.(value, at) ?? value;
  return value.map(entryText).join(", ");
}

/** For the answer to a form that somebody else's save conflicts with. */
export const FIELD_TEXTS = {
  label: (field: string) => fieldLabel(field),
  value: (field: string, value: unknown, at: FormatMoment) =>
    fieldText(field, value as FieldValue | undefined, at),
};

function entryText(entry: Exclude<FieldValue, string | boolean | null>[number]): string {
  if (typeof entry === "string") return entry;
  return "url" in entry
    ? `${entry.label} (${entry.url})`
    : `${formatClockTime(entry.atSeconds)} ${entry.title}`;
}

const PHOTO_LABELS: Record<string, string> = {
  alt: "alternative text",
  isPreview: "free preview",
  position: "number",
};

const LABELS: Record<string, string> = {
  title: "Title",
  description: "Description",
  creators: "Credits",
  tags: "Tags",
  producedOn: "Produced on",
  publishAt: "Publication date",
  expireAt: "Shown until",
  access: "Access",
  allowDownload: "Download",
  shoot: "Shoot",
  chapters: "Chapters",
  captions: "Captions",
  from: "Start",
  to: "End",
  state: "State",
  reason: "Reason",
  expiresAt: "Link works until",
  name: "Name",
  slug: "Address",
  bio: "Biography",
  aliases: "Other names",
  links: "Links",
  portraitAlt: "Alternative text",
};

const momentText = (value: string, at: FormatMoment) => at(new Date(value));

const TEXTS: Record<string, (value: string, at: FormatMoment) => string | undefined> = {
  access: (value) => (ACCESS_SHORT as Record<string, string>)[value],
  state: (value) => (STATE_LABELS as Record<string, string>)[value],
  publishAt: momentText,
  expireAt: momentText,
  expiresAt: momentText,
  // A shoot has no name, so the start of its id tells two of them apart.
  shoot: (value) => `Shoot ${value.slice(0, 8)}`,
};
