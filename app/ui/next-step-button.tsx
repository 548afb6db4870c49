import { Form, Link } from "@remix-run/react";
import type { NextStep } from "#app/domain/billing/next-step.ts";
import { buttonClass } from "./button.tsx";

interface NextStepButtonProps extends NextStep {
  variant?: Parameters<typeof buttonClass>[0];
}

/** A link, or the button of a form that leads to the provider's page. */
export function NextStepButton({ label, href, isPosted, variant }: NextStepButtonProps) {
  if (!isPosted) {
    return (
      <Link to={href} className={buttonClass(variant)}>
        {label}
      </Link>
    );
  }
  return (
    <Form method="post" action={href}>
      <button type="submit" className={buttonClass(variant)}>
        {label}
      </button>
    </Form>
  );
}
