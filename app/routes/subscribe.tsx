import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { isSubscribed } from "#app/domain/billing/access.ts";
import { listPlans } from "#app/domain/billing/plans.server.ts";
import { subscriptionSentence } from "#app/domain/billing/subscription-sentence.ts";
import { findTotals } from "#app/domain/catalog/counts.server.ts";
import { paths } from "#app/paths.ts";
import { Page } from "#app/ui/page.tsx";
import { InsideTotals, type InsideTotalsProps } from "#app/ui/subscribe/inside-totals.tsx";
import { PlanCard } from "#app/ui/subscribe/plan-card.tsx";
import styles from "#app/ui/subscribe/subscribe.module.css";
import { SubscriptionState } from "#app/ui/subscribe/subscription-state.tsx";
import { requireAdult } from "#app/web/guards.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";
import type { Viewer } from "#app/web/viewer.server.ts";

export const meta: MetaFunction<typeof loader> = () =>
  pageMeta({
    title: "Subscribe",
    description: "One subscription opens every film and every photo set.",
    canonical: paths.subscribe(),
  });

export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await requireAdult(request);
  const state = stateOf(viewer);
  const [plans, totals] = await Promise.all([listPlans(), findTotals()]);
  return {
    isSignedIn: viewer.user !== null,
    plans,
    totals,
    current:
      state && viewer.subscription
        ? {
            state,
            planName: viewer.subscription.price.product.name,
            sentence: subscriptionSentence(viewer.subscription),
          }
        : null,
  };
}

export default function SubscribePage() {
  const { plans, current, isSignedIn, totals } = useLoaderData<typeof loader>();
  return (
    <Page>
      <header className={styles.opening}>
        <h1>Everything, in full.</h1>
        <p className={styles.lead}>
          One subscription opens every film and every photo set, for as long as it lasts. No advertising, no
          trackers, and leaving is as easy as joining.
        </p>
      </header>
      {current ? <SubscriptionState {...current} /> : <Offer plans={plans} isSignedIn={isSignedIn} />}
      <WhatIsInside totals={totals} />
    </Page>
  );
}

function Offer({
  plans,
  isSignedIn,
}: Pick<ReturnType<typeof useLoaderData<typeof loader>>, "plans" | "isSignedIn">) {
  return (
    <section className={styles.section}>
      <h2>{plans.length > 0 ? "What it costs" : "Not open yet"}</h2>
      {plans.length > 0 ? (
        <ul className={styles.plans}>
          {plans.map((plan) => (
            <li key={plan.priceId}>
              <PlanCard {...plan} />
            </li>
          ))}
        </ul>
      ) : null}
      <p>
        Subscriptions cannot be bought here at the moment.{" "}
        {isSignedIn ? (
          <>
            What is open to members is yours already: <Link to={paths.list("video")}>see the videos</Link>.
          </>
        ) : (
          <>
            Signing up costs nothing and opens what is for members: <Link to={paths.signIn()}>sign up</Link>.
          </>
        )}
      </p>
    </section>
  );
}

function WhatIsInside({ totals }: { totals: InsideTotalsProps }) {
  return (
    <section className={styles.section}>
      <h2>What is inside</h2>
      <InsideTotals {...totals} />
      <ul className={styles.inside}>
        <li>
          <strong>Every video, every photo set</strong>
          <span>Complete, in the best quality there is, on any device.</span>
        </li>
        <li>
          <strong>Your place is kept</strong>
          <span>Stop anywhere and go on later, on this device or another.</span>
        </li>
        <li>
          <strong>Favorites</strong>
          <span>Keep what you love. It stays yours when a subscription ends.</span>
        </li>
        <li>
          <strong>Privacy</strong>
          <span>Nothing you watch leaves this site.</span>
        </li>
      </ul>
    </section>
  );
}

function stateOf(viewer: Viewer): "subscribed" | "overdue" | null {
  if (isSubscribed(viewer)) return "subscribed";
  const status = viewer.subscription?.status;
  return status === "past_due" || status === "unpaid" ? "overdue" : null;
}
