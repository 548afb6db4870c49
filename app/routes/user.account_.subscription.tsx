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
import { paths } from "#app/paths.ts";
import { CancelPanel } from "#app/ui/account/cancel-panel.tsx";
import { KeepForm } from "#app/ui/account/keep-form.tsx";
import { leavingProblem } from "#app/ui/account/leaving-problems.ts";
import styles from "#app/ui/forms/form.module.css";
import { field, readForm } from "#app/web/form-body.server.ts";
import { type Member, requireMember } from "#app/web/guards.server.ts";
import { limitWrites } from "#app/web/limits.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";

const SECTION = "#subscription";

export const meta: MetaFunction = () => pageMeta({ title: "Your subscription", robots: "noindex" });

export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

export async function loader({ request }: LoaderFunctionArgs) {
  const held = heldBy(await requireMember(request));
  const view = held && (await findHeld(held));
  if (view === null) throw redirect(paths.account() + SECTION);

  return view;
}

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireMember(request);
  await limitWrites(member.user.id);
  const intent = intentOf(await readForm(request));
  const held = heldBy(member);
  if (held === null) return redirect(paths.account() + SECTION, { status: 303 });

  const outcome = await (intent === "keep" ? keepSubscription(held) : cancelSubscription(held));
  if (outcome === "away") return data({ intent, outcome }, { status: 503, headers: { "Retry-After": "60" } });
  if (outcome === "elsewhere") return data({ intent, outcome }, { status: 409 });
  if (outcome === "unseen") return data({ intent, outcome });
  if (outcome === "over") return redirect(paths.account() + SECTION, { status: 303 });
  const saved = intent === "keep" ? "kept" : "cancelled";
  return redirect(paths.account({ saved }) + SECTION, { status: 303 });
}

export default function SubscriptionPage() {
  const view = useLoaderData<typeof loader>();
  const done = useActionData<typeof action>();
  const problem = done && leavingProblem(done.intent, done.outcome);
  if (done?.outcome === "unseen" && done.intent === "keep") {
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
        action={paths.accountAction("subscription")}
        problem={problem}
        isUnseen={done?.outcome === "unseen"}
        undo={<KeepForm />}
      />
      <p className={styles.back}>
        <Link to={paths.account() + SECTION}>Back to your account</Link>
      </p>
    </>
  );
}

function intentOf(form: FormData): "keep" | "cancel" {
  return field(form, "intent") === "keep" ? "keep" : "cancel";
}

function heldBy({ user, subscription }: Member) {
  return subscription && { id: subscription.id, userId: user.id };
}
