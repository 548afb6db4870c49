import { Textarea, TextInput } from "@mantine/core";
import type { ChangeValue } from "#app/domain/catalog/edit/bulk/bulk-change.ts";
import "#app/ui/theme/mantine.css";

interface ChangeValueFieldProps {
  needs: ChangeValue;
  typed: string;
  timeZone: string;
  /** Characters; undefined where the browser's own field bounds them. */
  maxLength: number | undefined;
  problem: string | null;
}

export function ChangeValueField({ needs, typed, timeZone, maxLength, problem }: ChangeValueFieldProps) {
  const field = {
    id: "change-value",
    name: "value",
    defaultValue: typed,
    error: problem,
    size: "md",
  } as const;
  if (needs === "reason") {
    return (
      <Textarea
        {...field}
        label="Reason"
        description="For the staff and the log, not for visitors."
        inputWrapperOrder={["label", "input", "error", "description"]}
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
