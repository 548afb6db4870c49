import { getTextareaProps } from "@conform-to/react";
import { Button, Textarea, TextInput } from "@mantine/core";
import type { FormEventHandler, ReactNode } from "react";
import type { SectionValues, SiteSection, SiteSetting } from "#app/domain/site/settings.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import "#app/ui/theme/mantine.css";
import { type OpenedPart, type PartFields, PartForm, PreviewButton } from "../part-form.tsx";
import { SETTING_LABELS, SITE_SECTION_TEXTS } from "./setting-texts.ts";

/** How a page opened its part. */
export interface OpenedSettings {
  section: SiteSection;
  values: SectionValues;
  /** What the host has fixed, with the name of the variable or file. */
  fixed: Partial<Record<SiteSetting, { by: string; value: string }>>;
  limits: Record<SiteSetting, number>;
  /** Something of it is not the default. */
  isOwn: boolean;
  form: OpenedPart;
}

type Fields = PartFields<SectionValues>;

interface FieldLook {
  description?: string;
  /** Of a text area. */
  rows?: number;
  type?: "text" | "email" | "date";
  list?: string;
  onInput?: FormEventHandler<HTMLInputElement | HTMLTextAreaElement>;
}

export type SettingField = (setting: SiteSetting, look?: FieldLook) => ReactNode;

interface SettingPartProps {
  page: OpenedSettings;
  about?: string;
  /** Instead of "Preview". */
  button?: ReactNode;
  hasFile?: boolean;
  children: (field: SettingField, fields: Fields) => ReactNode;
}

export function SettingPart({ page, about, button, hasFile, children }: SettingPartProps) {
  const { section, values, form, isOwn } = page;
  return (
    <PartForm
      id={section}
      title={SITE_SECTION_TEXTS[section].title}
      about={about && <p>{about}</p>}
      values={values}
      form={form}
      hasFile={hasFile}
      extra={
        <>
          {button ?? <PreviewButton />}
          {isOwn && (
            <Button type="submit" name="reset" value="yes" variant="subtle">
              Reset to default
            </Button>
          )}
        </>
      }
    >
      {(fields) => children((setting, look = {}) => settingField(page, fields, setting, look), fields)}
    </PartForm>
  );
}

function settingField(page: OpenedSettings, fields: Fields, setting: SiteSetting, look: FieldLook) {
  if (page.fixed[setting]) return <FixedField page={page} setting={setting} />;
  const { rows, type, ...rest } = look;
  const field = fields[setting];
  const own = {
    label: SETTING_LABELS[setting],
    autoComplete: "off",
    // A date has no length of its own in HTML.
    ...(type !== "date" && { maxLength: page.limits[setting] }),
    ...rest,
  };
  if (rows === undefined) return <Field field={field} type={type} {...own} />;
  return (
    <Textarea
      {...getTextareaProps(field, { ariaAttributes: false })}
      error={field.errors?.[0]}
      rows={rows}
      size="md"
      {...own}
    />
  );
}

interface FixedProps {
  page: OpenedSettings;
  setting: SiteSetting;
}

function FixedField({ page, setting }: FixedProps) {
  return (
    <TextInput
      label={SETTING_LABELS[setting]}
      description={fixedSentence(page.fixed[setting]?.by ?? "")}
      value={page.fixed[setting]?.value}
      disabled
      size="md"
    />
  );
}

/** A part in which the host has fixed everything. */
export function FixedPart({ page, setting, children }: FixedProps & { children?: ReactNode }) {
  const { section } = page;
  return (
    <FormSection id={section} title={SITE_SECTION_TEXTS[section].title} isAlone>
      {children ?? <FixedField page={page} setting={setting} />}
    </FormSection>
  );
}

export function fixedSentence(by: string): string {
  return by.endsWith(".md")
    ? `The file ${by} in the pages folder decides this. Remove it there to edit the text here.`
    : `The setting ${by} on the server decides this. Remove it there to change it here.`;
}
