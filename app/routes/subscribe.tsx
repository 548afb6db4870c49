import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { findRefusal, startCheckout } from "#app/domain/billing/checkout.server.ts";
import { currentPlan } from "#app/domain/billing/current-plan.ts";
import { nextStep } from "#app/domain/billing/next-step.ts";
import { listOffer } from "#app/domain/billing/offer.server.ts";
import { planView } from "#app/domain/billing/plan-view.ts";
import { hasPortal } from "#app/domain/billing/portal.server.ts";
import { isProviderAway } from "#app/domain/billing/provider-away.ts";
import { findTotals } from "#app/domain/catalog/counts.server.ts";
import { paths } from "#app/paths.ts";
import { Page } from "#app/ui/page.tsx";
import { NotOpenYet } from "#app/ui/subscribe/not-open-yet.tsx";
import { OfferForm } from "#app/ui/subscribe/offer-form.tsx";
import type { PurchaseProblem } from "#app/ui/subscribe/problems.ts";
import { Questions } from "#app/ui/subscribe/questions.tsx";
import styles from "#app/ui/subscribe/subscribe.module.css";
import { SubscriptionState } from "#app/ui/subscribe/subscription-state.tsx";
import { WhatIsInside } from "#app/ui/subscribe/what-is-inside.tsx";
import { serializeCameFrom } from "#app/web/came-from.server.ts";
import { clientAddress, networkOf } from "#app/web/client-address.server.ts";
import { field, readForm } from "#app/web/form-body.server.ts";
import { isMember, requireAdult } from "#app/web/guards.server.ts";
import { limitPayments } from "#app/web/limits.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";
import { noteRefusal } from "#app/web/refusal-id.server.ts";
import { safeRedirect } from "#app/web/safe-redirect.ts";
import { siteFacts } from "#app/web/site-facts.server.ts";

const LONGEST_ID = 255;

export const meta: MetaFunction<typeof loader> = () =>
  pageMeta({
    title: "Subscribe",
    description: "One subscription opens every film and every photo set.",
    canonical: paths.subscribe(),
  });

export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await requireAdult(request);
  const { searchParams } = new URL(request.url);
  const now = new Date();
  const person = viewer.user && { userId: viewer.user.id, email: viewer.user.email };
  const [offer, totals, canChange] = await Promise.all([
    listOffer(person, now),
    findTotals(),
    hasPortal(viewer.subscription),
  ]);
  const asked = searchParams.get("plan");
  return {
    isSignedIn: viewer.user !== null,
    plans: offer.map((plan) => planView(plan, now)),
    chosen: offer.find(({ priceId }) => priceId === asked)?.priceId ?? offer[0]?.priceId ?? "",
    next: safeRedirect(searchParams.get("next"), ""),
    statement: siteFacts.statement,
    hasTax: siteFacts.hasTax,
    totals,
    current: currentPlan(viewer.subscription, { now, hasPortal: canChange }),
    /** Of one that is over, or has not begun. */
    past: viewer.subscription && nextStep(viewer.subscription, now).sentence,
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const viewer = await requireAdult(request);
  const form = await readForm(request);
  const priceId = field(form, "plan").slice(0, LONGEST_ID);
  const next = safeRedirect(field(form, "next"), "");
  if (!isMember(viewer)) {
    return redirect(paths.signIn(paths.subscribe({ plan: priceId, next })), { status: 303 });
  }
  const { id: userId, email } = viewer.user;
  const consentHash = field(form, `consent-${priceId}`) || null;
  const network = networkOf(clientAddress(request));
  const purchase = { userId, email, priceId, consentHash, network };
  const refuse = (problem: PurchaseProblem, { reason = "", status = 422 } = {}) =>
    data(
      { problem, priceId, consentHash, errorId: noteRefusal(request, `purchase: ${problem}`, reason) },
      { status },
    );

  const refusal = await findRefusal(purchase);
  if (refusal !== null) return refuse(refusal);
  await limitPayments(userId);
  try {
    const start = await startCheckout(purchase);
    if (start.kind === "refused") return refuse(start.why, start);
    if (start.kind === "subscribed") return redirect(`${paths.account()}#subscription`, { status: 303 });
    const headers = { "Set-Cookie": await serializeCameFrom(next || null) };
    const to = start.kind === "paid" ? paths.subscribeReturn(start.checkoutId) : start.url;
    return redirect(to, { status: 303, headers });
  } catch (error) {
    if (isProviderAway(error)) return refuse("away", { reason: error.message, status: 503 });
    throw error;
  }
}

export default function SubscribePage() {
  const { plans, current, past, isSignedIn, totals, ...offer } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <Page>
      <header className={styles.opening}>
        <h1>Everything, in full.</h1>
        <p className={styles.lead}>
          One subscription opens every film and every photo set, for as long as it lasts. No advertising, no
          trackers, and leaving is as easy as joining.
        </p>
      </header>
      {current ? (
        <SubscriptionState {...current} />
      ) : (
        <>
          {past ? <p className={styles.past}>{past}</p> : null}
          {plans.length > 0 ? (
            <OfferForm {...offer} plans={plans} isSignedIn={isSignedIn} refused={refused} />
          ) : (
            <NotOpenYet isSignedIn={isSignedIn} />
          )}
        </>
      )}
      <WhatIsInside totals={totals} />
      <section className={styles.section}>
        <h2>{current ? "Good to know" : "Before you subscribe"}</h2>
        <Questions />
      </section>
    </Page>
  );
}
