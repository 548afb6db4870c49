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

export function LineField({ type, list, inputMode, ...field }: LineProps) {
  // A date has no length of its own in HTML.
  const maxLength = type === "date" ? undefined : field.limits[field.setting];
  const own = { type, list, inputMode, maxLength };
  return <TextInput {...propertiesOf(field)} {...own} autoComplete="off" />;
}

export function TextField({ rows, ...field }: SettingFieldProps & { rows: number }) {
  return <Textarea {...propertiesOf(field)} maxLength={field.limits[field.setting]} rows={rows} />;
}

/** A field that the host has fixed is disabled, so browsers do not send it. */
function propertiesOf({ name, setting, values, errors, fixed, description }: SettingFieldProps) {
  const by = fixed[setting];
  return {
    id: `${name}-${setting}`,
    name: setting,
    label: SETTING_LABELS[setting],
    description: by === undefined ? description : fixedSentence(by),
    inputWrapperOrder: ORDER,
    defaultValue: values[setting],
    error: errors[setting],
    disabled: by !== undefined,
    size: "md",
  } as const;
}
