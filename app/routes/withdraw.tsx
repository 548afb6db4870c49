import { Button } from "@mantine/core";
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { declareWithdrawal, findWithdrawal } from "#app/domain/billing/cancellation/withdraw.server.ts";
import { WITHDRAWAL_DAYS } from "#app/domain/billing/rules/withdrawal-period.ts";
import type { OwnSubscription } from "#app/domain/billing/subscriptions/own-subscription.server.ts";
import { findBySignature } from "#app/domain/billing/subscriptions/signed-links.server.ts";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { paths } from "#app/paths.ts";
import { WithdrawPanel } from "#app/ui/cancellation/withdraw-panel.tsx";
import { boxState } from "#app/ui/forms/decision-form.tsx";
import styles from "#app/ui/forms/form.module.css";
import { INCOMPLETE } from "#app/ui/forms/form-error.tsx";
import "#app/ui/theme/mantine.css";
import { readForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal, refuseDecision } from "#app/web/forms/form-refusal.server.ts";
import { BAD_LINK, SHARED_WITHOUT_LINK, subscriptionLink } from "#app/web/pages/emailed-link.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { limitChanges } from "#app/web/request/limits.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";

export const handle = SHARED_WITHOUT_LINK;

export const meta: MetaFunction = () => pageMeta({ title: "Withdraw from a contract", robots: "noindex" });

/** Email scanners open every link, so a GET changes nothing. */
export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await anyone(request);
  const link = subscriptionLink(request);
  const own = await ownSubscriptionOf(viewer, link);
  return {
    link,
    isSigned: link.signature !== "",
    isSignedIn: viewer.user !== null,
    view: own && (await findWithdrawal(own)),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const viewer = await anyone(request);
  const link = subscriptionLink(request);
  const own = await ownSubscriptionOf(viewer, link);
  if (own === null) return data({ outcome: "bad" as const }, { status: 422 });

  await limitChanges(own.userId);
  const refusal = refuseDecision(await readForm(request), "withdraw", { isMailed: link.signature !== "" });
  if (refusal !== null) {
    const errorId = logRefusal(request, `withdraw: ${refusal}`);
    return data({ outcome: refusal, ...(refusal === "incomplete" && { errorId }) }, { status: 422 });
  }
  const outcome = await declareWithdrawal(own);
  if (outcome === "late") return data({ outcome }, { status: 409 });
  return redirect(paths.withdraw(link), { status: 303 });
}

export default function WithdrawPage() {
  const { link, isSigned, isSignedIn, view } = useLoaderData<typeof loader>();
  const done = useActionData<typeof action>();
  const outcome = done?.outcome;
  if (view === null || outcome === "bad") return <NoContract isBad={isSigned} isSignedIn={isSignedIn} />;
  return (
    <WithdrawPanel
      {...view}
      action={paths.withdraw(link)}
      box={boxState(link.signature !== "", outcome)}
      error={outcome === "incomplete" ? INCOMPLETE : undefined}
      errorId={done && "errorId" in done ? done.errorId : undefined}
      cancelPath={link.signature === "" ? paths.accountAction("subscription") : paths.cancel(link)}
    />
  );
}

function NoContract({ isBad, isSignedIn }: { isBad: boolean; isSignedIn: boolean }) {
  return (
    <div className={styles.column}>
      <h1>{isBad ? "This link does not work" : "Withdraw from a contract"}</h1>
      {isBad && <p>{BAD_LINK}</p>}
      {isSignedIn && !isBad ? (
        <p>You have no subscription here, so there is no contract to withdraw from.</p>
      ) : (
        <p>
          Within {WITHDRAWAL_DAYS} days of subscribing you can withdraw here. Use the link in the email that
          you got when you subscribed, which works without signing in. Or sign in: all you need is your email
          address.
        </p>
      )}
      <p>
        <Button component={Link} to={isSignedIn ? paths.account() : paths.signIn(paths.withdraw())}>
          {isSignedIn ? "Go to your account" : "Sign in to withdraw"}
        </Button>
      </p>
    </div>
  );
}

function ownSubscriptionOf(
  { user, subscription }: Viewer,
  link: ReturnType<typeof subscriptionLink>,
): Promise<OwnSubscription | null> | OwnSubscription | null {
  if (link.signature !== "") return findBySignature(link.subscription, link.signature);
  return user !== null && subscription !== null ? { id: subscription.id, userId: user.id } : null;
}
