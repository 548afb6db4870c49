import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Link, useActionData } from "@remix-run/react";
import { openPortal } from "#app/domain/billing/portal.server.ts";
import { isProviderAway } from "#app/domain/billing/provider-away.ts";
import { paths } from "#app/paths.ts";
import { ErrorIdLine } from "#app/ui/forms/error-id-line.tsx";
import styles from "#app/ui/forms/form.module.css";
import { NextStepButton } from "#app/ui/next-step-button.tsx";
import { requireMember } from "#app/web/guards.server.ts";
import { limitPayments } from "#app/web/limits.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";
import { noteRefusal } from "#app/web/refusal-id.server.ts";
import { siteFacts } from "#app/web/site-facts.server.ts";

const BACK = `${paths.account()}#subscription`;

export const meta: MetaFunction = () => pageMeta({ title: "Your payments", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  await requireMember(request);
  return null;
}

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireMember(request);
  await limitPayments(member.user.id);
  try {
    const url = await openPortal(member, siteFacts.origin + BACK);
    return redirect(url ?? BACK, { status: 303 });
  } catch (error) {
    if (!isProviderAway(error)) throw error;
    const errorId = noteRefusal(request, "portal: away", error.message);
    return data({ errorId }, { status: 503, headers: { "Retry-After": "60" } });
  }
}

export default function PortalPage() {
  const errorId = useActionData<typeof action>()?.errorId;
  const isAway = errorId !== undefined;
  return (
    <div className={styles.column}>
      <h1>Your payments</h1>
      {isAway ? (
        <>
          <p className={styles.problem} role="alert">
            The payment page does not answer. Nothing has changed, and nothing was charged. Please try again
            in a minute.
          </p>
          <ErrorIdLine id={errorId} />
        </>
      ) : (
        <p>Your card, your plan and your invoices are on a page of our payment provider.</p>
      )}
      <NextStepButton label={isAway ? "Try again" : "Open the payment page"} href={paths.portal()} isPosted />
      <Link to={BACK}>Back to your account</Link>
    </div>
  );
}
