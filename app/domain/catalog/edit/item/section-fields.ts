import { EXAMPLE_TIMES, formatClockTime, parseClockTime } from "#app/clock-times.ts";
import { photoFields, type SectionValues } from "./sections.ts";
import type { FieldErrors } from "./text-fields.ts";

export interface SectionFields {
  /** Times such as "4:09". */
  chapters: { chapters: { time: string; title: string }[] };
  photos: { photos: { id: string; alt: string; isPreview: boolean }[] };
}
/** The sections of the overview: the others have pages of their own. */
export type FormSectionName = keyof SectionFields;
export const FORM_SECTIONS: readonly FormSectionName[] = ["chapters", "photos"];

export function fieldsOf<Name extends FormSectionName>(name: Name, values: SectionValues[Name]) {
  return TO_FIELDS[name](values);
}

/** Reports only unreadable values; saving checks the rest. */
export function parseValues<Name extends FormSectionName>(name: Name, fields: SectionFields[Name]) {
  const errors: FieldErrors = {};
  return { values: TO_VALUES[name](fields, errors), errors };
}

const TO_FIELDS: { [Name in FormSectionName]: (values: SectionValues[Name]) => SectionFields[Name] } = {
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

const TO_VALUES: {
  [Name in FormSectionName]: (fields: SectionFields[Name], errors: FieldErrors) => SectionValues[Name];
} = {
  chapters: ({ chapters }, errors) => ({
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
