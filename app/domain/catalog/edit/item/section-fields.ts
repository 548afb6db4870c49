import { photoFields, type SectionValues } from "./sections.ts";

export interface SectionFields {
  photos: { photos: { id: string; alt: string; isPreview: boolean }[] };
}
/** The sections of the overview: the others have pages of their own. */
export type FormSectionName = keyof SectionFields;
export const FORM_SECTIONS: readonly FormSectionName[] = ["photos"];

export function fieldsOf<Name extends FormSectionName>(name: Name, values: SectionValues[Name]) {
  return TO_FIELDS[name](values);
}

export function valuesIn<Name extends FormSectionName>(name: Name, fields: SectionFields[Name]) {
  return TO_VALUES[name](fields);
}

const TO_FIELDS: { [Name in FormSectionName]: (values: SectionValues[Name]) => SectionFields[Name] } = {
  photos: (values) => ({
    photos: Object.entries(values).flatMap(([field, alt]) => {
      const id = field.startsWith("alt-") ? field.slice("alt-".length) : null;
      return id === null ? [] : [{ id, alt: String(alt), isPreview: values[`isPreview-${id}`] === true }];
    }),
  }),
};

const TO_VALUES: { [Name in FormSectionName]: (fields: SectionFields[Name]) => SectionValues[Name] } = {
  photos: ({ photos }) => photoFields(photos),
};
