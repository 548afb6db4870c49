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
import { resumeSubscription } from "#app/domain/billing/cancellation/change-subscription.server.ts";
import type { OwnSubscription } from "#app/domain/billing/subscriptions/own-subscription.server.ts";
import { paths } from "#app/paths.ts";
import { KeepForm } from "#app/ui/account/subscription-section.tsx";
import { CancelPanel, cancellationError } from "#app/ui/cancellation/cancel-panel.tsx";
import styles from "#app/ui/forms/form.module.css";
import { INCOMPLETE } from "#app/ui/forms/form-error.tsx";
import { useContactText } from "#app/ui/parts/contact.tsx";
import { readForm, readIntent } from "#app/web/forms/form-body.server.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import { isReason, receiveReason } from "#app/web/forms/reason-form.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { RETRY_AFTER_SECONDS, retryAfter } from "#app/web/request/retry-after.ts";
import { type Member, requireMember } from "#app/web/session/guards.server.ts";

const DONE = { keep: "kept", resume: "resumed" } as const;

type Intent = "cancel" | keyof typeof DONE;
const INTENTS: Intent[] = ["cancel", "keep", "resume"];

export const meta: MetaFunction = () => pageMeta({ title: "Your subscription", robots: "noindex" });

export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

export async function loader({ request }: LoaderFunctionArgs) {
  const own = ownSubscriptionOf(await requireMember(request), request);
  const view = own && (await findCancellation(own));
  if (view === null) throw redirect(paths.subscription());

  return { view, subscription: namedIn(request) };
}

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireMember(request);
  const form = await readForm(request);
  const intent = readIntent(form, INTENTS);
  const own = ownSubscriptionOf(member, request);
  if (own === null) return redirect(paths.subscription(), { status: 303 });
  const confirmation = paths.accountAction("subscription", { subscription: own.id });
  if (isReason(form)) {
    const refused = await receiveReason(own, form);
    if (refused === null) return redirect(confirmation, { status: 303 });
    return data({ intent: "reason" as const, outcome: "refusedReason" as const, refused }, { status: 422 });
  }
  if (intent === null) {
    const errorId = logRefusal(request, "subscription: no intent");
    return data({ intent: "none" as const, outcome: "incomplete" as const, errorId }, { status: 422 });
  }

  const { outcome, payUrl } = await changeSubscriptionBy(intent, own);
  if (payUrl !== null) return redirect(payUrl, { status: 303 });
  if (outcome === "unreachable" || outcome === "unknownToProvider") {
    const errorId = logRefusal(request, `${intent}: ${outcome}`);
    if (outcome === "unknownToProvider") return data({ intent, outcome, errorId }, { status: 409 });
    return data(
      { intent, outcome, errorId },
      { status: 503, headers: retryAfter(RETRY_AFTER_SECONDS.provider) },
    );
  }
  if (outcome === "unseen") return data({ intent, outcome });
  if (outcome === "over") return redirect(paths.subscription(), { status: 303 });
  if (intent === "cancel") return redirect(confirmation, { status: 303 });
  return redirect(paths.subscription({ saved: DONE[intent] }), { status: 303 });
}

async function changeSubscriptionBy(intent: Intent, own: OwnSubscription) {
  if (intent === "resume") return resumeSubscription(own);
  return { outcome: await requestChange(own, intent), payUrl: null };
}

export default function SubscriptionPage() {
  const { view, subscription } = useLoaderData<typeof loader>();
  const done = useActionData<typeof action>();
  const contact = useContactText();
  const refused = done?.outcome === "refusedReason" ? done.refused : undefined;
  const error =
    done === undefined || done.outcome === "refusedReason"
      ? undefined
      : done.outcome === "incomplete"
        ? INCOMPLETE
        : cancellationError(done.intent, done.outcome, contact);
  if (done?.outcome === "unseen" && done.intent !== "cancel") {
    return (
      <div className={styles.column}>
        <h1>Your subscription continues</h1>
        <p>The payment provider has confirmed it. This site will show it within a few minutes.</p>
      </div>
    );
  }
  return (
    <>
      <CancelPanel
        {...view}
        action={paths.accountAction("subscription", { subscription })}
        box="unneeded"
        error={error}
        errorId={done && "errorId" in done ? done.errorId : undefined}
        isUnseen={done?.outcome === "unseen"}
        refusedReason={refused}
        undo={<KeepForm subscription={subscription} />}
      />
      <p className={styles.back}>
        <Link to={paths.subscription()}>Back to your account</Link>
      </p>
    </>
  );
}

function ownSubscriptionOf({ user, subscription }: Member, request: Request): OwnSubscription | null {
  const id = namedIn(request) ?? subscription?.id;
  return id === undefined ? null : { id, userId: user.id };
}

function namedIn(request: Request): string | undefined {
  return new URL(request.url).searchParams.get("subscription") || undefined;
}
