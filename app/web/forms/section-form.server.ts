import { z } from "zod";
import { timeZoneProblem } from "#app/config/settings.ts";
import type { FormSectionName, SectionFields } from "#app/domain/catalog/edit/item/section-fields.ts";
import {
  type FieldValue,
  PHOTOS_AT_ONCE,
  type SectionValues,
} from "#app/domain/catalog/edit/item/sections.ts";
import type { FieldErrors } from "#app/domain/catalog/edit/item/text-fields.ts";
import { ITEM_LIMITS } from "#app/domain/media/item-texts.ts";
import type { Conflict } from "#app/domain/staff/compare-edits.server.ts";
import { siteFacts } from "../pages/site-facts.server.ts";

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

export function readOpened<Name extends FormSectionName>(
  name: Name,
  form: FormData,
): SectionValues[Name] | null {
  const opened = OPENED[name].safeParse(jsonOf(form.get("opened")));
  return opened.success ? (opened.data as SectionValues[Name]) : null;
}

export function readFields<Name extends FormSectionName>(name: Name, form: FormData): SectionFields[Name] {
  return FIELDS[name](form);
}

export const ID_LENGTH = 36;
const PHOTO_FIELD_LENGTH = "isPreview-".length + ID_LENGTH;

export const upTo = (characters: number) => z.string().max(characters, { abort: true });
const OPENED: Record<FormSectionName, z.ZodType> = {
  photos: z
    .record(upTo(PHOTO_FIELD_LENGTH), z.union([upTo(ITEM_LIMITS.alt), z.boolean()]))
    // A text and a tick for each.
    .refine((values) => Object.keys(values).length <= 2 * PHOTOS_AT_ONCE),
};

const FIELDS: { [Name in FormSectionName]: (form: FormData) => SectionFields[Name] } = {
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
