import { Button } from "@mantine/core";
import type { MouseEventHandler, ReactNode } from "react";
import "#app/ui/theme/mantine.css";

interface StepButtonProps {
  action: string;
  section: string;
  intent: "preview" | "find" | "row";
  onClick?: MouseEventHandler;
  children: ReactNode;
}

/** The answer is the page again, with everything that was typed. */
export function StepButton({ action, section, intent, ...rest }: StepButtonProps) {
  return (
    <Button
      type="submit"
      name="intent"
      value={intent}
      formAction={`${action}#${section}`}
      variant="default"
      {...rest}
    />
  );
}
