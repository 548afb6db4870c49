import { EXAMPLE_TIMES, formatClockTime, parseClockTime } from "#app/clock-times.ts";
import { fromZoneTime, toZoneTime } from "#app/dates.ts";
import type { Access } from "#app/domain/access/access.ts";
import { type FieldErrors, photoFields, type SectionName, type SectionValues } from "./sections.ts";

export interface SectionFields {
  text: { title: string; description: string };
  credits: { creators: string[] };
  /** `added`: separated by commas. */
  tags: { tags: string[]; added: string };
  /** "2026-05-31", and "2026-11-27T20:00" in `timeZone`. */
  dates: { producedOn: string; expireAt: string; timeZone: string };
  access: { access: Access; allowDownload: boolean };
  shoot: { shoot: string };
  /** Times such as "4:09". */
  chapters: { chapters: { time: string; title: string }[] };
  photos: { photos: { id: string; alt: string; isPreview: boolean }[] };
}

type ToFields = { [Name in SectionName]: (values: SectionValues[Name], zone: string) => SectionFields[Name] };
type ToValues = {
  [Name in SectionName]: (
    fields: SectionFields[Name],
    zone: string,
    errors: FieldErrors,
    opened: SectionValues[Name],
  ) => SectionValues[Name];
};

export function fieldsOf<Name extends SectionName>(name: Name, values: SectionValues[Name], zone: string) {
  return TO_FIELDS[name](values, zone);
}

/** `zone` and `opened`: as the form showed them. Reports only unreadable values; saving checks the rest. */
export function parseValues<Name extends SectionName>(
  name: Name,
  fields: SectionFields[Name],
  zone: string,
  opened: SectionValues[Name],
) {
  const errors: FieldErrors = {};
  return { values: TO_VALUES[name](fields, zone, errors, opened), errors };
}

const TO_FIELDS: ToFields = {
  text: (values) => values,
  credits: (values) => values,
  tags: ({ tags }) => ({ tags, added: "" }),
  dates: ({ producedOn, expireAt }, zone) => ({
    producedOn: producedOn ?? "",
    expireAt: expireAt === null ? "" : toZoneTime(new Date(expireAt), zone),
    timeZone: zone,
  }),
  access: (values) => values,
  shoot: ({ shoot }) => ({ shoot: shoot ?? "" }),
  chapters: ({ chapters }) => ({
    chapters: chapters.map(({ atSeconds, title }) => ({ time: formatClockTime(atSeconds), title })),
  }),
  photos: (values) => ({
    photos: Object.entries(values).flatMap(([field, alt]) => {
      const id = field.startsWith("alt-") ? field.slice("alt-".length) : null;
      return id === null ? [] : [{ id, alt: String(alt), isPreview: values[`isPreview-${id}`] === true }];
    }),
  }),
};

const TO_VALUES: ToValues = {
  text: (fields) => fields,
  credits: (fields) => fields,
  tags: ({ tags, added }) => ({ tags: [...tags, ...added.split(",")] }),
  dates: ({ producedOn, expireAt }, zone, errors, opened) => {
    // When clocks go back, two moments have the same text.
    if (expireAt === fieldsOf("dates", opened, zone).expireAt) {
      return { producedOn: producedOn || null, expireAt: opened.expireAt };
    }
    const moment = expireAt === "" ? null : fromZoneTime(expireAt, zone);
    if (expireAt !== "" && moment === null) {
      errors.expireAt = "Please enter a date and a time, such as 27 November 2026, 20:00.";
    }
    return { producedOn: producedOn || null, expireAt: moment?.toISOString() ?? null };
  },
  access: (fields) => fields,
  shoot: ({ shoot }) => ({ shoot: shoot || null }),
  chapters: ({ chapters }, _, errors) => ({
    chapters: chapters.flatMap(({ time, title }, index) => {
      if (time.trim() === "" && title.trim() === "") return [];
      const atSeconds = parseClockTime(time);
      if (atSeconds === null) {
        errors[`chapters-${index}`] = `Chapter ${index + 1} needs a time such as ${EXAMPLE_TIMES}.`;
      }
      return [{ atSeconds: atSeconds ?? 0, title }];
    }),
  }),
  photos: ({ photos }) => photoFields(photos),
};
