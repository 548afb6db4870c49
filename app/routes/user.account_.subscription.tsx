import {
  type ActionFunctionArgs,
  data,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { cancelSubscription, findHeld, keepSubscription } from "#app/domain/billing/cancel.server.ts";
import type { Held } from "#app/domain/billing/held.server.ts";
import { type Resumed, resumeSubscription } from "#app/domain/billing/resume.server.ts";
import { paths } from "#app/paths.ts";
import { CancelPanel } from "#app/ui/account/cancel-panel.tsx";
import { KeepForm } from "#app/ui/account/keep-form.tsx";
import { leavingProblem } from "#app/ui/account/leaving-problems.ts";
import styles from "#app/ui/forms/form.module.css";
import { field, readForm } from "#app/web/form-body.server.ts";
import { type Member, requireMember } from "#app/web/guards.server.ts";
import { limitWrites } from "#app/web/limits.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";
import { noteRefusal } from "#app/web/refusal-id.server.ts";

const SECTION = "#subscription";
const DONE = { cancel: "cancelled", keep: "kept", resume: "resumed" } as const;

type Intent = keyof typeof DONE;

export const meta: MetaFunction = () => pageMeta({ title: "Your subscription", robots: "noindex" });

export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

export async function loader({ request }: LoaderFunctionArgs) {
  const held = heldBy(await requireMember(request), request);
  const view = held && (await findHeld(held));
  if (view === null) throw redirect(paths.account() + SECTION);

  return { view, subscription: namedIn(request) };
}

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireMember(request);
  await limitWrites(member.user.id);
  const intent = intentOf(await readForm(request));
  const held = heldBy(member, request);
  if (held === null) return redirect(paths.account() + SECTION, { status: 303 });

  const { outcome, payUrl } = await take(intent, held);
  if (payUrl !== null) return redirect(payUrl, { status: 303 });
  if (outcome === "away" || outcome === "elsewhere") {
    const errorId = noteRefusal(request, `${intent}: ${outcome}`);
    if (outcome === "elsewhere") return data({ intent, outcome, errorId }, { status: 409 });
    return data({ intent, outcome, errorId }, { status: 503, headers: { "Retry-After": "60" } });
  }
  if (outcome === "unseen") return data({ intent, outcome });
  // The page says since when, and how it is taken back.
  if (outcome === "recorded" && intent === "cancel") {
    return redirect(paths.accountAction("subscription", { subscription: namedIn(request) }), { status: 303 });
  }
  if (outcome === "over") return redirect(paths.account() + SECTION, { status: 303 });
  return redirect(paths.account({ saved: DONE[intent] }) + SECTION, { status: 303 });
}

async function take(intent: Intent, held: Held): Promise<Resumed> {
  if (intent === "resume") return resumeSubscription(held);
  const outcome = await (intent === "keep" ? keepSubscription(held) : cancelSubscription(held));
  return { outcome, payUrl: null };
}

export default function SubscriptionPage() {
  const { view, subscription } = useLoaderData<typeof loader>();
  const done = useActionData<typeof action>();
  const problem = done && leavingProblem(done.intent, done.outcome);
  if (done?.outcome === "unseen" && done.intent !== "cancel") {
    return (
      <div className={styles.column}>
        <h1>Your subscription goes on</h1>
        <p>The payment provider has confirmed it. This site will show it within a few minutes.</p>
      </div>
    );
  }
  return (
    <>
      <CancelPanel
        {...view}
        action={paths.accountAction("subscription", { subscription })}
        problem={problem}
        errorId={done && "errorId" in done ? done.errorId : undefined}
        isUnseen={done?.outcome === "unseen"}
        undo={<KeepForm subscription={subscription} />}
      />
      <p className={styles.back}>
        <Link to={paths.account() + SECTION}>Back to your account</Link>
      </p>
    </>
  );
}

function intentOf(form: FormData): Intent {
  const intent = field(form, "intent");
  return intent === "keep" || intent === "resume" ? intent : "cancel";
}

/** The one that counts, unless the address names another of theirs: it is looked for among their own only. */
function heldBy({ user, subscription }: Member, request: Request): Held | null {
  const id = namedIn(request) ?? subscription?.id;
  return id === undefined ? null : { id, userId: user.id };
}

function namedIn(request: Request): string | undefined {
  return new URL(request.url).searchParams.get("subscription") || undefined;
}
