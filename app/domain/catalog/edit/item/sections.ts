import { EXAMPLE_TIMES } from "#app/clock-times.ts";
import { isDay } from "#app/dates.ts";
import { ACCESSES, type Access } from "#app/domain/access/access.ts";
import { ITEM_LIMITS, normalizeLines, normalizeName, textProblem } from "#app/domain/media/item-texts.ts";
import { quoted } from "#app/texts.ts";
import type { CreatorLink, Marker } from "#db/schema/catalog.ts";

export interface SectionValues {
  text: { title: string; description: string };
  /** Unknown names become new creators. */
  credits: { creators: string[] };
  tags: { tags: string[] };
  /** "2026-05-31", and a moment in ISO 8601 without seconds. */
  dates: { producedOn: string | null; expireAt: string | null };
  access: { access: Access; allowDownload: boolean };
  /** The shoot's id, or in a form the id of an item of the same shoot. */
  shoot: { shoot: string | null };
  chapters: { chapters: Marker[] };
  /** "alt-<id>" and "isPreview-<id>" of the form's photos. */
  photos: Record<string, string | boolean>;
}

export type SectionName = keyof SectionValues;
export const SECTION_NAMES = [
  "text",
  "credits",
  "tags",
  "dates",
  "access",
  "shoot",
  "chapters",
  "photos",
] as const satisfies readonly SectionName[];
export type FieldErrors = Record<string, string>;
export type FieldValue = string | boolean | null | string[] | Marker[] | CreatorLink[];

export interface CheckedAgainst {
  durationSeconds: number | null;
  publishAt: Date | null;
  /** "2026-05-31", in the site's time zone. */
  today: string;
}

export const NO_FACTS: CheckedAgainst = { durationSeconds: null, publishAt: null, today: "" };

export const PHOTOS_AT_ONCE = 24;
const PHOTO_FIELD = /^(?:alt|isPreview)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function photoFields(
  photos: readonly { id: string; alt: string; isPreview: boolean }[],
): SectionValues["photos"] {
  const fields = photos.flatMap(({ id, alt, isPreview }) => [
    [`alt-${id}`, alt],
    [`isPreview-${id}`, isPreview],
  ]);
  return Object.fromEntries(fields);
}

type Normalize = { [Name in SectionName]: (values: SectionValues[Name]) => SectionValues[Name] };
type Check = { [Name in SectionName]: (values: SectionValues[Name], item: CheckedAgainst) => FieldErrors };

export function normalized<Name extends SectionName>(name: Name, values: SectionValues[Name]) {
  return NORMALIZE[name](values);
}

/** Expects normalized values. */
export function errorsOf<Name extends SectionName>(
  name: Name,
  values: SectionValues[Name],
  item: CheckedAgainst,
): FieldErrors {
  return CHECK[name](values, item);
}

export function photoIdOf(field: string): string | null {
  return PHOTO_FIELD.exec(field)?.[1] ?? null;
}

const NORMALIZE: Normalize = {
  text: ({ title, description }) => ({
    title: normalizeName(title),
    description: normalizeLines(description),
  }),
  credits: ({ creators }) => ({ creators: namesOf(creators) }),
  tags: ({ tags }) => ({ tags: namesOf(tags).sort((a, b) => (a < b ? -1 : 1)) }),
  dates: ({ producedOn, expireAt }) => ({
    producedOn: producedOn || null,
    expireAt: expireAt ? toMinute(expireAt) : null,
  }),
  access: ({ access, allowDownload }) => ({ access, allowDownload }),
  shoot: ({ shoot }) => ({ shoot: shoot || null }),
  chapters: ({ chapters }) => ({
    chapters: chapters
      // Forms write thousandths.
      .map(({ atSeconds, title }) => ({
        atSeconds: Math.round(atSeconds * 1000) / 1000,
        title: normalizeName(title),
      }))
      .sort((a, b) => a.atSeconds - b.atSeconds),
  }),
  photos: (values) =>
    Object.fromEntries(
      Object.entries(values).map(([field, value]) => [
        field,
        typeof value === "string" ? normalizeName(value) : value,
      ]),
    ),
};

const CHECK: Check = {
  text: ({ title, description }) => ({
    ...textError("title", "The title", title, ITEM_LIMITS.title),
    ...textError("description", "The description", description, ITEM_LIMITS.description, true),
  }),
  credits: ({ creators }) => namesError("creators", creators),
  tags: ({ tags }) => namesError("tags", tags),
  dates: ({ producedOn, expireAt }, { publishAt, today }) => ({
    ...productionError(producedOn, today),
    ...expiryError(expireAt, publishAt),
  }),
  access: ({ access, allowDownload }) => ({
    ...(ACCESSES.includes(access) ? {} : { access: "Choose who can view this item." }),
    ...(typeof allowDownload === "boolean" ? {} : { allowDownload: "Choose whether it can be downloaded." }),
  }),
  // saveShoot() looks it up.
  shoot: () => ({}),
  chapters: ({ chapters }, { durationSeconds }) => chaptersError(chapters, durationSeconds),
  photos: (values) => {
    const ids = new Set(Object.keys(values).map(photoIdOf));
    if (ids.has(null) || ids.size > PHOTOS_AT_ONCE) {
      return { photos: `Save the texts of up to ${PHOTOS_AT_ONCE} photos at a time.` };
    }
    return Object.assign(
      {},
      ...Object.entries(values).map(([field, value]) =>
        typeof value === "string" ? textError(field, "The text", value, ITEM_LIMITS.alt, true) : {},
      ),
    );
  },
};

/** Drops empty names, and keeps the first of those that differ only in case. */
export function namesOf(names: string[]): string[] {
  const unique = new Map<string, string>();
  for (const name of names.map(normalizeName)) {
    if (name && !unique.has(name.toLowerCase())) unique.set(name.toLowerCase(), name);
  }
  return [...unique.values()];
}

function toMinute(text: string): string {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) return text;
  return new Date(Math.floor(moment.getTime() / 60_000) * 60_000).toISOString();
}

export function textError(
  field: string,
  label: string,
  text: string,
  longest: number,
  mayBeEmpty = false,
): FieldErrors {
  if (text === "" && mayBeEmpty) return {};
  const problem = textProblem(label, text, longest);
  return problem === null ? {} : { [field]: problem };
}

export function tooManyNames(field: "tags" | "creators", names: string[]): string | null {
  return names.length > ITEM_LIMITS[field] ? `An item can have up to ${ITEM_LIMITS[field]} ${field}.` : null;
}

function namesError(field: "tags" | "creators", names: string[]): FieldErrors {
  const tooMany = tooManyNames(field, names);
  if (tooMany !== null) return { [field]: tooMany };
  const wrong = names.flatMap((name) =>
    Object.values(textError(field, quoted(name), name, ITEM_LIMITS.name)),
  );
  return wrong[0] ? { [field]: wrong[0] } : {};
}

function productionError(producedOn: string | null, today: string): FieldErrors {
  if (producedOn === null) return {};
  if (!isDay(producedOn)) return { producedOn: "The production date must be a day such as 2026-05-31." };
  // A planned day would hide the problem that the date is missing.
  return producedOn > today ? { producedOn: "The production date is in the future." } : {};
}

function expiryError(expireAt: string | null, publishAt: Date | null): FieldErrors {
  if (expireAt === null) return {};
  const moment = new Date(expireAt);
  if (Number.isNaN(moment.getTime()) || !isDay(moment.toISOString().slice(0, 10))) {
    return { expireAt: "The expiry date needs a day and a time." };
  }
  if (publishAt !== null && moment <= publishAt) {
    return { expireAt: "The expiry date must be after the publication date." };
  }
  return {};
}

function chaptersError(chapters: Marker[], durationSeconds: number | null): FieldErrors {
  if (chapters.length > ITEM_LIMITS.chapters) {
    return { chapters: `A video can have up to ${ITEM_LIMITS.chapters} chapters.` };
  }
  for (const [index, { atSeconds, title }] of chapters.entries()) {
    const wrong = Object.values(
      textError("chapters", `The title of chapter ${index + 1}`, title, ITEM_LIMITS.chapterTitle),
    );
    if (wrong[0]) return { chapters: wrong[0] };
    if (!Number.isFinite(atSeconds) || atSeconds < 0) {
      return { chapters: `${quoted(title)} needs a time such as ${EXAMPLE_TIMES}.` };
    }
    if (durationSeconds !== null && atSeconds >= durationSeconds) {
      return { chapters: `${quoted(title)} begins after the end of the video.` };
    }
    if (chapters[index + 1]?.atSeconds === atSeconds) {
      return {
        chapters: `${quoted(title)} and ${quoted(chapters[index + 1]?.title ?? "")} begin at the same time.`,
      };
    }
  }
  return {};
}
