import {
  type ActionFunctionArgs,
  data,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { cancelSubscription, findHeld } from "#app/domain/billing/cancel.server.ts";
import { findBySeal } from "#app/domain/billing/cancel-link.server.ts";
import { paths } from "#app/paths.ts";
import { CancelPanel } from "#app/ui/account/cancel-panel.tsx";
import { leavingProblem } from "#app/ui/account/leaving-problems.ts";
import { buttonClass } from "#app/ui/button.tsx";
import styles from "#app/ui/forms/form.module.css";
import { anyone } from "#app/web/guards.server.ts";
import { limitWrites } from "#app/web/limits.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";
import { noteRefusal } from "#app/web/refusal-id.server.ts";

const ACCOUNT = `${paths.account()}#subscription`;

export const meta: MetaFunction = () => pageMeta({ title: "Cancel a subscription", robots: "noindex" });

export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Mail scanners open every link, so looking at this page changes nothing. Nobody is asked to sign in or for their age. */
export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await anyone(request);
  const link = linkOf(request);
  const held = await findBySeal(link.subscription, link.seal);

  return {
    link,
    hasLink: link.subscription !== "" || link.seal !== "",
    held: held && (await findHeld(held)),
    isSignedIn: viewer.user !== null,
  };
}

export async function action({ request }: ActionFunctionArgs) {
  await anyone(request);
  const link = linkOf(request);
  const held = await findBySeal(link.subscription, link.seal);
  if (held === null) return data({ outcome: "bad" as const }, { status: 422 });

  await limitWrites(held.userId);
  const outcome = await cancelSubscription(held);
  if (outcome === "away" || outcome === "elsewhere") {
    const errorId = noteRefusal(request, `cancel: ${outcome}`);
    if (outcome === "elsewhere") return data({ outcome, errorId }, { status: 409 });
    return data({ outcome, errorId }, { status: 503, headers: { "Retry-After": "60" } });
  }
  if (outcome === "unseen") return data({ outcome });
  return redirect(paths.cancel(link), { status: 303 });
}

function linkOf(request: Request) {
  const { searchParams } = new URL(request.url);
  return { subscription: searchParams.get("subscription") ?? "", seal: searchParams.get("seal") ?? "" };
}

export default function CancelPage() {
  const { link, hasLink, held, isSignedIn } = useLoaderData<typeof loader>();
  const done = useActionData<typeof action>();
  const outcome = done?.outcome;
  if (held === null || outcome === "bad")
    return <NoLink isBad={hasLink || outcome === "bad"} isSignedIn={isSignedIn} />;
  return (
    <CancelPanel
      {...held}
      action={paths.cancel(link)}
      problem={leavingProblem("cancel", outcome)}
      errorId={done && "errorId" in done ? done.errorId : undefined}
      isUnseen={outcome === "unseen"}
      undo={
        <p>
          Until it ends you can change your mind in your account.{" "}
          <Link to={isSignedIn ? ACCOUNT : paths.signIn(paths.account())}>
            {isSignedIn ? "Your account" : "Sign in to keep it"}
          </Link>
        </p>
      }
    />
  );
}

function NoLink({ isBad, isSignedIn }: { isBad: boolean; isSignedIn: boolean }) {
  return (
    <div className={styles.column}>
      <h1>{isBad ? "This link does not work" : "Cancel a subscription"}</h1>
      {isBad && <p>It is incomplete, or what it belongs to is no longer there. Nothing was changed.</p>}
      <p>
        {isSignedIn ? "Cancel" : "Sign in and cancel"} with two clicks in your account. Or use the link at the
        end of any mail about your subscription: it works without signing in.
      </p>
      <p>
        <Link to={ACCOUNT} className={buttonClass()}>
          Go to your account
        </Link>
      </p>
    </div>
  );
}
