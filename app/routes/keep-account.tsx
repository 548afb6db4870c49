import { Button } from "@mantine/core";
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { formatDate } from "#app/dates.ts";
import { findByUndoLink, keepAccount, UNDO_DAYS } from "#app/domain/account/request-deletion.server.ts";
import { paths } from "#app/paths.ts";
import { KeepAccountForm } from "#app/ui/account/closing-account.tsx";
import { boxState } from "#app/ui/forms/decision-form.tsx";
import styles from "#app/ui/forms/form.module.css";
import { ErrorIdLine, FormError, INCOMPLETE } from "#app/ui/forms/form-error.tsx";
import "#app/ui/theme/mantine.css";
import { readForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal, refuseDecision } from "#app/web/forms/form-refusal.server.ts";
import { linkSignature, SHARED_WITHOUT_LINK } from "#app/web/pages/emailed-link.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { limitChanges } from "#app/web/request/limits.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";

type State = "requested" | "kept" | "none" | "bad";

const HEADINGS: Record<State, string> = {
  requested: "Your account will be deleted",
  kept: "Your account will not be deleted",
  none: "Keep an account",
  bad: "This link no longer works",
};
const SENTENCES: Record<State, (undoDays: number) => string> = {
  requested: (undoDays) =>
    `You have been signed out. In ${undoDays} days we will delete the account and everything in it. We have sent you an email with the date, and with a link that keeps the account if you change your mind.`,
  kept: () =>
    "Everything is as it was. If you had a subscription, it has ended, and you can subscribe again. You were signed out on all devices.",
  none: (undoDays) =>
    `You can keep an account for ${undoDays} days after you asked us to delete it. Use the link in the email that we sent you then, or sign in.`,
  bad: () =>
    "The link is incomplete, or the account has since been kept or deleted. Nothing was changed. If the account still exists, you can sign in to it.",
};

export const handle = SHARED_WITHOUT_LINK;

export const meta: MetaFunction = () => pageMeta({ title: "Keep an account", robots: "noindex" });

/** Email scanners open every link, so a GET changes nothing. */
export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await anyone(request);
  const link = linkOf(request);
  const deletion = await findByUndoLink(link.account, link.signature);
  return {
    link,
    deletesOn: deletion && formatDate(deletion.deletesAt),
    state: stateOf(request),
    undoDays: UNDO_DAYS,
    isSignedIn: viewer.user !== null,
  };
}

export async function action({ request }: ActionFunctionArgs) {
  await anyone(request);
  const link = linkOf(request);
  const deletion = await findByUndoLink(link.account, link.signature);
  if (deletion === null)
    return data({ outcome: "bad" as const, errorId: logRefusal(request, "undo link") }, { status: 422 });

  await limitChanges(deletion.userId);
  const refusal = refuseDecision(await readForm(request), "keep", { isMailed: true });
  if (refusal !== null) {
    const errorId = logRefusal(request, `undo: ${refusal}`);
    return data({ outcome: refusal, ...(refusal === "incomplete" && { errorId }) }, { status: 422 });
  }
  await keepAccount(deletion.userId);
  return redirect(paths.keepAccount({ done: "kept" }), { status: 303 });
}

export default function KeepAccountPage() {
  const { link, deletesOn, state, undoDays, isSignedIn } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const outcome = refused?.outcome;
  const errorId = refused && "errorId" in refused ? refused.errorId : undefined;
  if (deletesOn === null || outcome === "bad") {
    return <Outcome state={outcome === "bad" ? "bad" : state} {...{ undoDays, isSignedIn, errorId }} />;
  }
  return (
    <div className={styles.column}>
      <h1>Keep your account</h1>
      <FormError id="keep-problem">{outcome === "incomplete" ? INCOMPLETE : undefined}</FormError>
      <ErrorIdLine id={errorId} />
      <p>It will be deleted on {deletesOn}. Until then you can keep it, with everything in it.</p>
      <p>If you had a subscription, it has ended. It will not restart on its own.</p>
      <KeepAccountForm action={paths.keepAccount(link)} box={boxState(true, outcome)} />
    </div>
  );
}

interface OutcomeProps {
  state: State;
  undoDays: number;
  isSignedIn: boolean;
  errorId: string | undefined;
}

function Outcome(outcome: OutcomeProps) {
  return (
    <div className={styles.column}>
      <h1>{HEADINGS[outcome.state]}</h1>
      <p>{SENTENCES[outcome.state](outcome.undoDays)}</p>
      <ErrorIdLine id={outcome.errorId} />
      <p>
        <Button
          component={Link}
          to={outcome.isSignedIn ? paths.account() : paths.signIn(paths.account())}
          variant="default"
        >
          {outcome.isSignedIn ? "Go to your account" : "Sign in"}
        </Button>
      </p>
    </div>
  );
}

function linkOf(request: Request) {
  const { searchParams } = new URL(request.url);
  return { account: searchParams.get("account") ?? "", signature: linkSignature(searchParams) };
}

function stateOf(request: Request): State {
  const { searchParams } = new URL(request.url);
  const done = searchParams.get("done");
  if (done === "requested" || done === "kept") return done;
  return searchParams.has("account") || linkSignature(searchParams) !== "" ? "bad" : "none";
}
