import { Button } from "@mantine/core";
import type { MouseEventHandler, ReactNode } from "react";
import "#app/ui/theme/mantine.css";

interface StepButtonProps {
  /** Of a page with several forms: where the answer begins. */
  at?: { action: string; section: string } | undefined;
  intent: "preview" | "find" | "row";
  onClick?: MouseEventHandler;
  children: ReactNode;
}

/** The answer is the page again, with everything that was typed. */
export function StepButton({ at, intent, ...rest }: StepButtonProps) {
  return (
    <Button
      type="submit"
      name="intent"
      value={intent}
      {...(at && { formAction: `${at.action}#${at.section}` })}
      variant="default"
      {...rest}
    />
  );
}
