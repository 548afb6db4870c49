import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Link, useActionData } from "@remix-run/react";
import { openPortal } from "#app/domain/billing/account/portal.server.ts";
import { isProviderUnreachable } from "#app/domain/billing/providers/providers.server.ts";
import { paths } from "#app/paths.ts";
import styles from "#app/ui/forms/form.module.css";
import { ErrorIdLine, FormError } from "#app/ui/forms/form-error.tsx";
import { NextStepButton } from "#app/ui/forms/next-step-button.tsx";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { siteFacts } from "#app/web/pages/site-facts.server.ts";
import { limitPayments } from "#app/web/request/limits.server.ts";
import { RETRY_AFTER_SECONDS, retryAfter } from "#app/web/request/retry-after.ts";
import { assertFreshSignIn, requireMember } from "#app/web/session/guards.server.ts";

const BACK = paths.subscription();

export const meta: MetaFunction = () => pageMeta({ title: "Your payments", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  await requireMember(request);
  return null;
}

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireMember(request);
  assertFreshSignIn(request, member, "portal");
  await limitPayments(member.user.id);
  try {
    const url = await openPortal(member, siteFacts.origin + BACK);
    return redirect(url ?? BACK, { status: 303 });
  } catch (error) {
    if (!isProviderUnreachable(error)) throw error;
    const errorId = logRefusal(request, "portal: unreachable", error.message);
    return data({ errorId }, { status: 503, headers: retryAfter(RETRY_AFTER_SECONDS.provider) });
  }
}

export default function PortalPage() {
  const errorId = useActionData<typeof action>()?.errorId;
  const isUnreachable = errorId !== undefined;
  return (
    <div className={styles.column}>
      <h1>Your payments</h1>
      {isUnreachable ? (
        <>
          <FormError>
            We could not reach the payment page. Nothing has changed, and you were not charged. Please try
            again in a minute.
          </FormError>
          <ErrorIdLine id={errorId} />
        </>
      ) : (
        <p>You manage your card, plan and invoices on our payment provider's page.</p>
      )}
      <NextStepButton
        label={isUnreachable ? "Try again" : "Open the payment page"}
        href={paths.portal()}
        isPosted
      />
      <Link to={BACK}>Back to your account</Link>
    </div>
  );
}
