import { Textarea, TextInput, type TextInputProps } from "@mantine/core";
import type { ReactNode } from "react";
import type { SectionValues, SiteSetting } from "#app/domain/site/settings.ts";
import "#app/ui/theme/mantine.css";
import { type EditedSettings, fixedSentence } from "./setting-section.tsx";
import { SETTING_LABELS } from "./setting-texts.ts";

interface SettingFieldProps extends Pick<EditedSettings, "name" | "errors" | "limits" | "fixed"> {
  setting: SiteSetting;
  values: SectionValues;
  description?: ReactNode;
}

const ORDER: TextInputProps["inputWrapperOrder"] = ["label", "input", "error", "description"];

type LineProps = SettingFieldProps & Pick<TextInputProps, "type" | "list" | "inputMode">;

/** A field of one line. A field that the host has fixed is not sent, so it stays as it is. */
export function LineField({
  name,
  setting,
  values,
  errors,
  limits,
  fixed,
  description,
  ...input
}: LineProps) {
  const by = fixed[setting];
  return (
    <TextInput
      id={`${name}-${setting}`}
      name={setting}
      label={SETTING_LABELS[setting]}
      description={by === undefined ? description : fixedSentence(by)}
      inputWrapperOrder={ORDER}
      defaultValue={values[setting]}
      // A date has no length of its own in HTML.
      maxLength={input.type === "date" ? undefined : limits[setting]}
      error={errors[setting]}
      disabled={by !== undefined}
      size="md"
      autoComplete="off"
      {...input}
    />
  );
}

/** A field of several lines. */
export function TextField({
  name,
  setting,
  values,
  errors,
  limits,
  fixed,
  description,
  rows,
}: SettingFieldProps & { rows: number }) {
  const by = fixed[setting];
  return (
    <Textarea
      id={`${name}-${setting}`}
      name={setting}
      label={SETTING_LABELS[setting]}
      description={by === undefined ? description : fixedSentence(by)}
      inputWrapperOrder={ORDER}
      defaultValue={values[setting]}
      maxLength={limits[setting]}
      error={errors[setting]}
      disabled={by !== undefined}
      rows={rows}
      size="md"
    />
  );
}
