import { z } from "zod";
import { timeZoneProblem } from "#app/config/settings.ts";
import { ACCESSES, DEFAULT_ACCESS } from "#app/domain/access/access.ts";
import type { SectionFields } from "#app/domain/catalog/edit/item/section-fields.ts";
import {
  type FieldErrors,
  type FieldValue,
  PHOTOS_AT_ONCE,
  type SectionName,
  type SectionValues,
} from "#app/domain/catalog/edit/item/sections.ts";
import { ITEM_LIMITS } from "#app/domain/media/item-texts.ts";
import type { Conflict } from "#app/domain/staff/compare-edits.server.ts";
import { siteFacts } from "../pages/site-facts.server.ts";
import { field } from "./form-body.server.ts";

export interface SectionAnswer<Section extends string, Step extends string, Opened, Fields = Opened> {
  section: Section;
  /** The pressed button, or "confirm" when the sign-in was too old. */
  step: Step | "save" | "confirm";
  /** The next save is compared with this: after a conflict, with what is stored now. */
  opened: Opened;
  fields: Fields;
  errors: FieldErrors;
  conflicts: Conflict<FieldValue>[];
}

export function readOpened<Name extends SectionName>(name: Name, form: FormData): SectionValues[Name] | null {
  const opened = OPENED[name].safeParse(jsonOf(form.get("opened")));
  return opened.success ? (opened.data as SectionValues[Name]) : null;
}

export function readFields<Name extends SectionName>(name: Name, form: FormData): SectionFields[Name] {
  return FIELDS[name](form);
}

export const ID_LENGTH = 36;
const [DAY_LENGTH, MOMENT_LENGTH] = [10, 24];
const PHOTO_FIELD_LENGTH = "isPreview-".length + ID_LENGTH;

export const upTo = (characters: number) => z.string().max(characters, { abort: true });
const names = (most: number) => z.array(upTo(ITEM_LIMITS.name)).max(most);
const moment = upTo(MOMENT_LENGTH).refine((text) => !Number.isNaN(Date.parse(text)));
const marker = z.strictObject({ atSeconds: z.number(), title: upTo(ITEM_LIMITS.chapterTitle) });
const OPENED: Record<SectionName, z.ZodType> = {
  text: z.strictObject({ title: upTo(ITEM_LIMITS.title), description: upTo(ITEM_LIMITS.description) }),
  credits: z.strictObject({ creators: names(ITEM_LIMITS.creators) }),
  tags: z.strictObject({ tags: names(ITEM_LIMITS.tags) }),
  dates: z.strictObject({ producedOn: upTo(DAY_LENGTH).nullable(), expireAt: moment.nullable() }),
  access: z.strictObject({ access: z.enum(ACCESSES), allowDownload: z.boolean() }),
  shoot: z.strictObject({ shoot: upTo(ID_LENGTH).nullable() }),
  chapters: z.strictObject({ chapters: z.array(marker).max(ITEM_LIMITS.chapters) }),
  photos: z
    .record(upTo(PHOTO_FIELD_LENGTH), z.union([upTo(ITEM_LIMITS.alt), z.boolean()]))
    // A text and a tick for each.
    .refine((values) => Object.keys(values).length <= 2 * PHOTOS_AT_ONCE),
};

const FIELDS: { [Name in SectionName]: (form: FormData) => SectionFields[Name] } = {
  text: (form) => ({ title: text(form, "title"), description: text(form, "description") }),
  credits: (form) => ({ creators: texts(form, "name") }),
  tags: (form) => ({ tags: texts(form, "tag"), added: text(form, "added") }),
  dates: (form) => ({
    producedOn: field(form, "producedOn"),
    expireAt: field(form, "expireAt"),
    timeZone: shownZone(form),
  }),
  access: (form) => ({
    access: ACCESSES.find((access) => access === field(form, "access")) ?? DEFAULT_ACCESS,
    allowDownload: field(form, "allowDownload") === "yes",
  }),
  shoot: (form) => ({ shoot: field(form, "shoot") }),
  chapters: (form) => {
    const titles = texts(form, "chapter");
    return { chapters: texts(form, "time").map((time, index) => ({ time, title: titles[index] ?? "" })) };
  },
  photos: (form) => {
    const [alts, previews] = [texts(form, "alt"), texts(form, "preview")];
    return {
      photos: texts(form, "photo").map((id, index) => ({
        id,
        alt: alts[index] ?? "",
        isPreview: previews.includes(id),
      })),
    };
  },
};

/** The zone in which the form showed its times: the site's may have changed since. */
export function shownZone(form: FormData | URLSearchParams): string {
  const zone = form.get("timeZone");
  return typeof zone === "string" && zone !== "" && timeZoneProblem(zone) === null
    ? zone
    : siteFacts.timeZone;
}

/** As typed, with its spaces. */
export function text(form: FormData | URLSearchParams, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

export function texts(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === "string");
}

export function jsonOf(value: unknown): unknown {
  try {
    return typeof value === "string" ? JSON.parse(value) : null;
  } catch {
    return null;
  }
}
