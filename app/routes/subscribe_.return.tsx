import { Button } from "@mantine/core";
import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { isSubscribed } from "#app/domain/access/access.ts";
import {
  findPurchaseOutcome,
  type PurchaseOutcome,
} from "#app/domain/billing/checkout/purchase-outcome.server.ts";
import { sellerName } from "#app/domain/billing/providers/providers.server.ts";
import { nextStep } from "#app/domain/billing/rules/next-step.ts";
import { subscriptionSentence } from "#app/domain/billing/rules/subscription-sentence.ts";
import { paths } from "#app/paths.ts";
import styles from "#app/ui/forms/form.module.css";
import { NextStepButton } from "#app/ui/forms/next-step-button.tsx";
import { ContactLink } from "#app/ui/parts/contact.tsx";
import { OUTCOMES, STILL_UNTOLD, STILL_WAITING } from "#app/ui/subscribe/outcome-text.ts";
import "#app/ui/theme/mantine.css";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { readCameFrom } from "#app/web/session/came-from.server.ts";
import { findViewerNow, requireMember } from "#app/web/session/guards.server.ts";

/** Pauses between checks, about three minutes in total. */
const PAUSES_SECONDS = [2, 3, 5, 5, 10, 15, 30, 30, 30, 30];
const WAITING: PurchaseOutcome["kind"][] = [
  "pending",
  "untold",
  "confirming",
  "unconfirmed",
  "rateLimited",
  "unreachable",
];

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta({ title: data ? OUTCOMES[data.kind].title : "Your purchase", robots: "noindex" });

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

/** Grants nothing: it only shows what our rows say about the member's own purchase. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { user, session } = await requireMember(request);
  const { searchParams } = new URL(request.url);
  const checkout = searchParams.get("checkout") ?? "";
  const outcome = await findPurchaseOutcome(user.id, checkout);
  if (outcome === null) throw new Response("Not Found", { status: 404 });
  // Read again, because the guard read it before the provider was called.
  const { subscription } = await findViewerNow(request);
  const look = Math.max(0, Math.floor(Number(searchParams.get("look"))) || 0);
  // The one access rule decides what is open, whatever was bought.
  const kind = outcome.kind === "done" && !isSubscribed({ user, subscription }) ? "inactive" : outcome.kind;
  const isWaiting = WAITING.includes(outcome.kind);
  const pause = isWaiting ? PAUSES_SECONDS[look] : undefined;
  const again = paths.subscribeReturn(checkout, { look: look + 1 });
  return data(
    {
      kind,
      payUrl: "url" in outcome ? outcome.url : null,
      news: "sentence" in outcome ? { sentence: outcome.sentence, isOwed: outcome.isOwed } : null,
      again: isWaiting ? paths.subscribeReturn(checkout) : null,
      isStillLooking: pause !== undefined,
      state: subscriptionSentence(subscription, session.now),
      next: nextStep(subscription, session.now, sellerName()),
      cameFrom: await readCameFrom(request),
    },
    // Works without scripts.
    pause === undefined ? {} : { headers: { Refresh: `${pause}; url=${again}` } },
  );
}

export default function ReturnPage() {
  const { kind, payUrl, news, again, isStillLooking, state, next, cameFrom } = useLoaderData<typeof loader>();
  const { title, sentence } = OUTCOMES[kind];
  const needsContact = kind === "mismatch" || news?.isOwed;
  return (
    <div className={styles.column}>
      <h1>{title}</h1>
      {news !== null ? (
        <p role="status">{news.sentence}</p>
      ) : again !== null && !isStillLooking ? (
        <p role="status">{kind === "untold" ? STILL_UNTOLD : STILL_WAITING}</p>
      ) : sentence ? (
        <p>{sentence}</p>
      ) : null}
      {needsContact ? (
        <p>
          Write to <ContactLink />, and we will put it right.
        </p>
      ) : null}
      {kind === "done" ? (
        <>
          <p>{state} An email with everything you agreed to is on its way.</p>
          <Button component={Link} to={cameFrom ?? paths.list("video")}>
            {cameFrom ? "Continue where you were" : "Watch something"}
          </Button>
          <Link to={paths.subscription()}>Your subscription</Link>
        </>
      ) : again !== null ? (
        <>
          <Button component="a" href={again} variant="default">
            Check again
          </Button>
          {kind === "untold" && !isStillLooking ? (
            <Link to={paths.subscribe({ next: cameFrom ?? "" })}>See the plans</Link>
          ) : null}
        </>
      ) : needsContact ? null : kind === "transfer" ? (
        <Button component={Link} to={paths.subscription()} variant="default">
          Your subscription
        </Button>
      ) : kind === "inactive" ? (
        <>
          <p>{state}</p>
          <NextStepButton {...next} />
        </>
      ) : (
        <>
          {payUrl ? (
            <Button component="a" href={payUrl}>
              Continue to payment
            </Button>
          ) : null}
          <Button
            component={Link}
            to={paths.subscribe({ next: cameFrom ?? "" })}
            variant={payUrl ? "default" : "filled"}
          >
            See the plans
          </Button>
        </>
      )}
    </div>
  );
}
