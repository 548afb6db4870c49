import { Textarea, TextInput } from "@mantine/core";
import type { ChangeValue } from "#app/domain/catalog/edit/bulk/bulk-change.ts";
import "#app/ui/theme/mantine.css";

interface ChangeValueFieldProps {
  needs: ChangeValue;
  typed: string;
  timeZone: string;
  maxLength: number | undefined;
  error: string | null;
}

export function ChangeValueField({ needs, typed, timeZone, maxLength, error }: ChangeValueFieldProps) {
  const field = {
    id: "change-value",
    name: "value",
    defaultValue: typed,
    error,
    size: "md",
  } as const;
  if (needs === "reason") {
    return (
      <Textarea
        {...field}
        label="Reason"
        description="For staff and the audit log. Visitors do not see it."
        maxLength={maxLength}
        rows={2}
      />
    );
  }
  if (needs === "moment") {
    return (
      <>
        <input type="hidden" name="timeZone" value={timeZone} />
        <TextInput {...field} type="datetime-local" label={`Date and time (${timeZone})`} />
      </>
    );
  }
  return <TextInput {...field} label="Name" maxLength={maxLength} autoComplete="off" />;
}
