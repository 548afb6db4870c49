import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { findBySeal } from "#app/domain/billing/cancel-link.server.ts";
import type { Held } from "#app/domain/billing/held.server.ts";
import { declareWithdrawal, findWithdrawal } from "#app/domain/billing/withdraw.server.ts";
import { paths } from "#app/paths.ts";
import { WithdrawPanel } from "#app/ui/account/withdraw-panel.tsx";
import { buttonClass } from "#app/ui/button.tsx";
import styles from "#app/ui/forms/form.module.css";
import { anyone } from "#app/web/guards.server.ts";
import { limitWrites } from "#app/web/limits.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";
import type { Viewer } from "#app/web/viewer.server.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Withdraw from a contract", robots: "noindex" });

/** Looking changes nothing: mail scanners open every link. Nobody is asked for their age, nor to sign in who has a link. */
export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await anyone(request);
  const link = linkOf(request);
  const held = await heldBy(viewer, link);
  return {
    link,
    isSealed: link.seal !== "",
    isSignedIn: viewer.user !== null,
    view: held && (await findWithdrawal(held)),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const viewer = await anyone(request);
  const link = linkOf(request);
  const held = await heldBy(viewer, link);
  if (held === null) return data({ outcome: "bad" as const }, { status: 422 });

  await limitWrites(held.userId);
  const outcome = await declareWithdrawal(held);
  if (outcome === "late") return data({ outcome }, { status: 409 });
  return redirect(paths.withdraw(link), { status: 303 });
}

export default function WithdrawPage() {
  const { link, isSealed, isSignedIn, view } = useLoaderData<typeof loader>();
  const outcome = useActionData<typeof action>()?.outcome;
  if (view === null || outcome === "bad") return <NoContract isBad={isSealed} isSignedIn={isSignedIn} />;
  return (
    <WithdrawPanel
      {...view}
      action={paths.withdraw(link)}
      cancelPath={link.seal === "" ? paths.accountAction("subscription") : paths.cancel(link)}
    />
  );
}

function NoContract({ isBad, isSignedIn }: { isBad: boolean; isSignedIn: boolean }) {
  return (
    <div className={styles.column}>
      <h1>{isBad ? "This link does not work" : "Withdraw from a contract"}</h1>
      {isBad && <p>It is incomplete, or what it belongs to is no longer there. Nothing was changed.</p>}
      {isSignedIn && !isBad ? (
        <p>You have no subscription here, so there is no contract to withdraw from.</p>
      ) : (
        <p>
          Within 14 days of subscribing you can withdraw here. Use the link in the mail that you got when you
          subscribed: it works without signing in. Or sign in, with your mail address alone.
        </p>
      )}
      <p>
        <Link to={isSignedIn ? paths.account() : paths.signIn(paths.withdraw())} className={buttonClass()}>
          {isSignedIn ? "Go to your account" : "Sign in to withdraw"}
        </Link>
      </p>
    </div>
  );
}

function linkOf(request: Request) {
  const { searchParams } = new URL(request.url);
  return { subscription: searchParams.get("subscription") ?? "", seal: searchParams.get("seal") ?? "" };
}

/** By the link of a mail, whoever has it; without one the subscription of whoever is signed in. */
function heldBy(
  { user, subscription }: Viewer,
  link: ReturnType<typeof linkOf>,
): Promise<Held | null> | Held | null {
  if (link.seal !== "") return findBySeal(link.subscription, link.seal);
  return user !== null && subscription !== null ? { id: subscription.id, userId: user.id } : null;
}
