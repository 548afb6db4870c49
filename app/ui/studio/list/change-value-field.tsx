import { Textarea, TextInput } from "@mantine/core";
import "#app/ui/theme/mantine.css";

interface ChangeValueFieldProps {
  needs: "name" | "moment" | "reason";
  typed: string;
  timeZone: string;
  problem: string | null;
}

export function ChangeValueField({ needs, typed, timeZone, problem }: ChangeValueFieldProps) {
  const field = { id: "change-value", name: "value", defaultValue: typed, error: problem, size: "md" } as const;
  if (needs === "reason") {
    return (
      <Textarea
        {...field}
        label="Reason"
        description="For the staff and the log, not for visitors."
        inputWrapperOrder={["label", "input", "error", "description"]}
        maxLength={500}
        rows={2}
      />
    );
  }
  if (needs === "moment") {
    return <TextInput {...field} type="datetime-local" label={`Date and time (${timeZone})`} />;
  }
  return <TextInput {...field} label="Name" maxLength={100} autoComplete="off" />;
}
