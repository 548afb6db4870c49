import { z } from "zod";
import { EXAMPLE_TIMES } from "#app/clock-times.ts";
import { isDay } from "#app/dates.ts";
import { ACCESSES } from "#app/domain/access/access.ts";
import { ITEM_LIMITS, normalizeLines, normalizeName, textError } from "#app/domain/media/item-texts.ts";
import type { MediaType } from "#app/paths.ts";
import { quoted, UUID } from "#app/texts.ts";
import type { CreatorLink, Marker } from "#db/schema/catalog.ts";
import { anyText, errorsIn, type FieldErrors, problem, textField } from "./text-fields.ts";

/** Shown and saved together. */
export const PHOTOS_AT_ONCE = 24;

const EMPTY_IS_NULL = anyText.nullable().overwrite((text) => text || null);

/** The fields of an item that are saved together, with their limits: forms, sidecars and bulk changes read the same ones. */
export const SECTIONS = {
  text: z.object({
    title: textField("The title", ITEM_LIMITS.title, { ifEmpty: "Please enter a title." }),
    description: textField("The description", ITEM_LIMITS.description, {
      normalize: normalizeLines,
      mayBeEmpty: true,
    }),
  }),
  /** Unknown names become new creators. */
  credits: z.object({
    creators: z
      .array(anyText)
      .overwrite(namesOf)
      .superRefine(problem(namesProblem("creators"))),
  }),
  tags: z.object({
    tags: z
      .array(anyText)
      .overwrite((tags) => namesOf(tags).sort((a, b) => (a < b ? -1 : 1)))
      .superRefine(problem(namesProblem("tags"))),
  }),
  /** "2026-05-31", and a moment in ISO 8601 without seconds. */
  dates: z.object({
    producedOn: EMPTY_IS_NULL.superRefine(
      problem((day) =>
        day === null || isDay(day) ? null : "The production date must be a day such as 2026-05-31.",
      ),
    ),
    expireAt: EMPTY_IS_NULL.overwrite((moment) => moment && toMinute(moment)).superRefine(
      problem((moment) =>
        moment === null || isMoment(moment) ? null : "The expiry date needs a day and a time.",
      ),
    ),
  }),
  access: z.object({
    access: z.enum(ACCESSES, "Choose who can view this item."),
    allowDownload: z.boolean("Choose whether it can be downloaded."),
  }),
  /** The shoot's id, or in a form the id of an item of the same shoot. Saving looks it up. */
  shoot: z.object({ shoot: EMPTY_IS_NULL }),
  chapters: z.object({
    chapters: z
      .array(z.object({ atSeconds: z.number(), title: anyText }))
      .overwrite(inOrder)
      .superRefine(problem(chaptersProblem)),
  }),
  /** "alt-<id>" and "isPreview-<id>" of photos. */
  photos: z.record(
    anyText,
    z.union([textField("The text", ITEM_LIMITS.alt, { mayBeEmpty: true }), z.boolean()]),
  ),
} satisfies Record<string, z.ZodObject | z.ZodRecord>;

export type SectionName = keyof typeof SECTIONS;
export type SectionValues = { [Name in SectionName]: z.output<(typeof SECTIONS)[Name]> };
export type FieldValue = string | boolean | null | string[] | Marker[] | CreatorLink[];

/** What a section's values must agree with. */
export interface CheckedAgainst {
  type?: MediaType;
  durationSeconds: number | null;
  publishAt: Date | null;
  /** "2026-05-31", in the site's time zone. */
  today: string;
}

export function photoFields(
  photos: readonly { id: string; alt: string; isPreview: boolean }[],
): SectionValues["photos"] {
  const fields = photos.flatMap(({ id, alt, isPreview }) => [
    [`alt-${id}`, alt],
    [`isPreview-${id}`, isPreview],
  ]);
  return Object.fromEntries(fields);
}

/** Values that mean the same are equal afterwards. */
export function normalized<Name extends SectionName>(name: Name, values: SectionValues[Name]) {
  const schema: z.ZodObject | z.ZodRecord = SECTIONS[name];
  const field = (key: string) => (schema instanceof z.ZodObject ? schema.shape[key] : schema.valueType);
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, normalizedValue(field(key) as z.ZodType, value)]),
  ) as SectionValues[Name];
}

/** `item`: null checks the values alone. */
export function errorsOf<Name extends SectionName>(
  name: Name,
  values: SectionValues[Name],
  item: CheckedAgainst | null,
): FieldErrors {
  return {
    ...(item === null ? {} : disagreements(values, item)),
    ...errorsIn((SECTIONS[name] as z.ZodType).safeParse(values)),
  };
}

export function photoIdOf(field: string): string | null {
  const [, id = ""] = /^(?:alt|isPreview)-(.+)$/.exec(field) ?? [];
  return UUID.test(id) ? id : null;
}

/** Drops empty names, and keeps the first of those that differ only in case. */
export function namesOf(names: string[]): string[] {
  const unique = new Map<string, string>();
  for (const name of names.map(normalizeName)) {
    if (name && !unique.has(name.toLowerCase())) unique.set(name.toLowerCase(), name);
  }
  return [...unique.values()];
}

export function tooManyNames(field: "tags" | "creators", names: string[]): string | null {
  return names.length > ITEM_LIMITS[field] ? `An item can have up to ${ITEM_LIMITS[field]} ${field}.` : null;
}

/** A wrong value is returned as it is. */
export function normalizedValue(schema: z.ZodType, value: unknown): unknown {
  const checked = schema.safeParse(value);
  return checked.success ? checked.data : value;
}

function disagreements(
  values: object,
  { type, durationSeconds, publishAt, today }: CheckedAgainst,
): FieldErrors {
  const { producedOn, expireAt, chapters }: Partial<SectionValues["dates"] & SectionValues["chapters"]> =
    values;
  const errors: FieldErrors = {};
  // A day in the future would hide the problem that the production date is missing.
  if (producedOn && producedOn > today) errors.producedOn = "The production date is in the future.";
  if (expireAt && publishAt && new Date(expireAt) <= publishAt) {
    errors.expireAt = "The expiry date must be after the publication date.";
  }
  const late = chapters?.find(({ atSeconds }) => durationSeconds !== null && atSeconds >= durationSeconds);
  if (chapters && type === "photoSet") errors.chapters = "Only a video can have chapters.";
  if (late) errors.chapters = `${quoted(late.title)} begins after the end of the video.`;
  return errors;
}

function isMoment(text: string): boolean {
  const moment = new Date(text);
  return !Number.isNaN(moment.getTime()) && isDay(moment.toISOString().slice(0, 10));
}

function toMinute(text: string): string {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) return text;
  return new Date(Math.floor(moment.getTime() / 60_000) * 60_000).toISOString();
}

function namesProblem(field: "tags" | "creators") {
  return (names: string[]) =>
    tooManyNames(field, names) ??
    names.map((name) => textError(quoted(name), name, ITEM_LIMITS.name)).find((each) => each !== null) ??
    null;
}

/** Forms show thousandths of a second. */
function inOrder(chapters: Marker[]): Marker[] {
  return chapters
    .map(({ atSeconds, title }) => ({
      atSeconds: Math.round(atSeconds * 1000) / 1000,
      title: normalizeName(title),
    }))
    .sort((a, b) => a.atSeconds - b.atSeconds);
}

function chaptersProblem(chapters: Marker[]): string | null {
  if (chapters.length > ITEM_LIMITS.chapters) {
    return `A video can have up to ${ITEM_LIMITS.chapters} chapters.`;
  }
  for (const [index, { atSeconds, title }] of chapters.entries()) {
    const wrong = textError(`The title of chapter ${index + 1}`, title, ITEM_LIMITS.chapterTitle);
    if (wrong !== null) return wrong;
    if (atSeconds < 0) return `${quoted(title)} needs a time such as ${EXAMPLE_TIMES}.`;
    if (chapters[index + 1]?.atSeconds === atSeconds) {
      return `${quoted(title)} and ${quoted(chapters[index + 1]?.title ?? "")} begin at the same time.`;
    }
  }
  return null;
}
