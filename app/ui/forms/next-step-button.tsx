import { Button, type ButtonProps } from "@mantine/core";
import { Form, Link } from "@remix-run/react";
import type { NextStep } from "#app/domain/billing/rules/next-step.ts";
import { paths } from "#app/paths.ts";
import "#app/ui/theme/mantine.css";

interface NextStepButtonProps extends NextStep {
  look?: ButtonProps;
}

export function NextStepButton({ label, href, isPosted, look }: NextStepButtonProps) {
  if (!isPosted) {
    return (
      <Button component={Link} to={href} {...look}>
        {label}
      </Button>
    );
  }
  return (
    <Form method="post" action={href}>
      <Button type="submit" {...look}>
        {label}
      </Button>
    </Form>
  );
}

/** Leads to the payment provider's page for the member's plan and card. */
export function PortalButton() {
  return (
    <NextStepButton
      label="Change plan or card"
      href={paths.portal()}
      isPosted
      look={{ variant: "default" }}
    />
  );
}
