import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { nextStep } from "#app/domain/billing/next-step.ts";
import { findPurchaseOutcome, type PurchaseOutcome } from "#app/domain/billing/purchase-outcome.server.ts";
import { paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import styles from "#app/ui/forms/form.module.css";
import { NextStepButton } from "#app/ui/next-step-button.tsx";
import { OUTCOMES, STILL_WAITING } from "#app/ui/subscribe/outcome-words.ts";
import { readCameFrom } from "#app/web/came-from.server.ts";
import { requireMember } from "#app/web/guards.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";
import { findViewerNow } from "#app/web/viewer.server.ts";

/** The pauses between looks, about three minutes in all. */
const PAUSES_SECONDS = [2, 3, 5, 5, 10, 15, 30, 30, 30, 30];
/** Looking again may tell more. */
const WAITING: PurchaseOutcome["kind"][] = ["pending", "unasked", "away"];

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta({ title: data ? OUTCOMES[data.kind].title : "Your purchase", robots: "noindex" });

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

/** Grants nothing: whoever opens this address sees what our rows say of their own purchase. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { user } = await requireMember(request);
  const { searchParams } = new URL(request.url);
  const checkout = searchParams.get("checkout") ?? "";
  const outcome = await findPurchaseOutcome(user.id, checkout);
  if (outcome === null) throw new Response("Not Found", { status: 404 });
  // As it is now: the guard has looked before the provider was asked.
  const { subscription } = await findViewerNow(request);
  const look = Math.max(0, Math.floor(Number(searchParams.get("look"))) || 0);
  // What is open is said by the one rule, whatever was bought.
  const kind = outcome.kind === "done" && !subscription?.isCurrent ? "otherwise" : outcome.kind;
  const isWaiting = WAITING.includes(outcome.kind);
  const pause = isWaiting ? PAUSES_SECONDS[look] : undefined;
  const again = paths.subscribeReturn(checkout, { look: look + 1 });
  return data(
    {
      kind,
      payUrl: outcome.kind === "open" ? outcome.url : null,
      again: isWaiting ? paths.subscribeReturn(checkout) : null,
      isStillLooking: pause !== undefined,
      standing: nextStep(subscription),
      cameFrom: await readCameFrom(request),
    },
    // A header, as it works without scripts and is no part of the page.
    pause === undefined ? {} : { headers: { Refresh: `${pause}; url=${again}` } },
  );
}

export default function ReturnPage() {
  const { kind, payUrl, again, isStillLooking, standing, cameFrom } = useLoaderData<typeof loader>();
  const { title, sentence } = OUTCOMES[kind];
  return (
    <div className={styles.column}>
      <h1>{title}</h1>
      {again !== null && !isStillLooking ? <p role="status">{STILL_WAITING}</p> : <p>{sentence}</p>}
      {kind === "done" ? (
        <>
          <p>{standing.sentence} A mail with everything you agreed to is on its way.</p>
          <Link to={cameFrom ?? paths.list("video")} className={buttonClass()}>
            {cameFrom ? "Go on where you were" : "Watch something"}
          </Link>
          <Link to={`${paths.account()}#subscription`}>Your subscription</Link>
        </>
      ) : again !== null ? (
        <a href={again} className={buttonClass("quiet")}>
          Look again
        </a>
      ) : kind === "transfer" || kind === "mismatch" ? (
        <Link to={`${paths.account()}#subscription`} className={buttonClass("quiet")}>
          Your subscription
        </Link>
      ) : kind === "otherwise" ? (
        <>
          <p>{standing.sentence}</p>
          <NextStepButton {...standing.next} />
        </>
      ) : (
        <>
          {payUrl ? (
            <a href={payUrl} className={buttonClass()}>
              Go on to payment
            </a>
          ) : null}
          <Link to={paths.subscribe()} className={buttonClass(payUrl ? "quiet" : "primary")}>
            See the plans
          </Link>
        </>
      )}
    </div>
  );
}
