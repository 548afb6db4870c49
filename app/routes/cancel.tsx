import { Button } from "@mantine/core";
import {
  type ActionFunctionArgs,
  data,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { findCancellation, requestChange } from "#app/domain/billing/cancellation/cancel.server.ts";
import { findBySignature } from "#app/domain/billing/subscriptions/signed-links.server.ts";
import { paths } from "#app/paths.ts";
import { CancelPanel, cancellationError } from "#app/ui/cancellation/cancel-panel.tsx";
import { boxState } from "#app/ui/forms/decision-form.tsx";
import styles from "#app/ui/forms/form.module.css";
import { INCOMPLETE } from "#app/ui/forms/form-error.tsx";
import { useContactText } from "#app/ui/parts/contact.tsx";
import { RETRY_AFTER_SECONDS, retryAfter } from "#app/web/request/retry-after.ts";
import "#app/ui/theme/mantine.css";
import { readForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal, refuseDecision } from "#app/web/forms/form-refusal.server.ts";
import { isReason, receiveReason } from "#app/web/forms/reason-form.server.ts";
import { BAD_LINK, SHARED_WITHOUT_LINK, subscriptionLink } from "#app/web/pages/emailed-link.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { limitChanges } from "#app/web/request/limits.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";

const ACCOUNT = paths.subscription();

export const handle = SHARED_WITHOUT_LINK;

export const meta: MetaFunction = () => pageMeta({ title: "Cancel a subscription", robots: "noindex" });

export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** Email scanners open every link, so a GET changes nothing. */
export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await anyone(request);
  const link = subscriptionLink(request);
  const own = await findBySignature(link.subscription, link.signature);

  return {
    link,
    hasLink: link.subscription !== "" || link.signature !== "",
    own: own && (await findCancellation(own)),
    isSignedIn: viewer.user !== null,
  };
}

export async function action({ request }: ActionFunctionArgs) {
  await anyone(request);
  const link = subscriptionLink(request);
  const own = await findBySignature(link.subscription, link.signature);
  if (own === null) return data({ outcome: "bad" as const }, { status: 422 });

  await limitChanges(own.userId);
  const form = await readForm(request);
  if (isReason(form)) {
    const refused = await receiveReason(own, form);
    if (refused !== null) return data({ outcome: "refusedReason" as const, refused }, { status: 422 });
    return redirect(paths.cancel(link), { status: 303 });
  }
  const refusal = refuseDecision(form, "cancel", { isMailed: true });
  if (refusal !== null) {
    const errorId = logRefusal(request, `cancel: ${refusal}`);
    return data({ outcome: refusal, ...(refusal === "incomplete" && { errorId }) }, { status: 422 });
  }
  const outcome = await requestChange(own, "cancel");
  if (outcome === "unreachable" || outcome === "unknownToProvider") {
    const errorId = logRefusal(request, `cancel: ${outcome}`);
    if (outcome === "unknownToProvider") return data({ outcome, errorId }, { status: 409 });
    return data({ outcome, errorId }, { status: 503, headers: retryAfter(RETRY_AFTER_SECONDS.provider) });
  }
  if (outcome === "unseen") return data({ outcome });
  return redirect(paths.cancel(link), { status: 303 });
}

export default function CancelPage() {
  const { link, hasLink, own, isSignedIn } = useLoaderData<typeof loader>();
  const done = useActionData<typeof action>();
  const outcome = done?.outcome;
  const contact = useContactText();
  if (own === null || outcome === "bad")
    return <NoLink isBad={hasLink || outcome === "bad"} isSignedIn={isSignedIn} />;
  return (
    <CancelPanel
      {...own}
      action={paths.cancel(link)}
      box={boxState(true, outcome)}
      error={outcome === "incomplete" ? INCOMPLETE : cancellationError("cancel", outcome, contact)}
      refusedReason={done && "refused" in done ? done.refused : undefined}
      errorId={done && "errorId" in done ? done.errorId : undefined}
      isUnseen={outcome === "unseen"}
      undo={
        <p>
          You can change your mind in your account until it ends.{" "}
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
      {isBad && <p>{BAD_LINK}</p>}
      <p>
        {isSignedIn ? "Cancel" : "Sign in and cancel"} with two clicks in your account. Or use the link at the
        end of any email about your subscription, which works without signing in.
      </p>
      <p>
        <Button component={Link} to={ACCOUNT}>
          Go to your account
        </Button>
      </p>
    </div>
  );
}
