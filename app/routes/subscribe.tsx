import { Card } from "@mantine/core";
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  redirectDocument,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { hasPortal } from "#app/domain/billing/account/portal.server.ts";
import { findRefusal, startCheckout } from "#app/domain/billing/checkout/start-checkout.server.ts";
import { planView } from "#app/domain/billing/offers/plan-view.ts";
import { listOffer } from "#app/domain/billing/offers/plans.server.ts";
import {
  isProviderUnreachable,
  sellerCapabilities,
  sellerName,
} from "#app/domain/billing/providers/providers.server.ts";
import { canKeep } from "#app/domain/billing/rules/cancellation-state.ts";
import { currentPlan, pastSentence } from "#app/domain/billing/subscriptions/current-plan.ts";
import { findTotals } from "#app/domain/catalog/media/counts.server.ts";
import { paths } from "#app/paths.ts";
import { Page } from "#app/ui/parts/page.tsx";
import { OfferForm } from "#app/ui/subscribe/offer-form.tsx";
import type { PurchaseError } from "#app/ui/subscribe/plan-terms.tsx";
import { Questions } from "#app/ui/subscribe/questions.tsx";
import styles from "#app/ui/subscribe/subscribe.module.css";
import { NotOpenYet, SubscriptionState } from "#app/ui/subscribe/subscription-state.tsx";
import { WhatIsInside } from "#app/ui/subscribe/what-is-inside.tsx";
import "#app/ui/theme/mantine.css";
import { field, readForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import type { PageHandle } from "#app/web/pages/page-cache.server.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { siteFacts } from "#app/web/pages/site-facts.server.ts";
import { clientAddress, networkOf } from "#app/web/request/client-address.server.ts";
import { limitChanges, limitPayments } from "#app/web/request/limits.server.ts";
import { safeRedirect } from "#app/web/request/safe-redirect.ts";
import { serializeCameFrom } from "#app/web/session/came-from.server.ts";
import { isMember, requireAdult } from "#app/web/session/guards.server.ts";

const MAX_ID_LENGTH = 255;

export const handle: PageHandle = { isSharedBySignedOut: true };

export const meta: MetaFunction<typeof loader> = () =>
  pageMeta({
    title: "Subscribe",
    description: "One subscription opens every video and every photo set.",
    canonical: paths.subscribe(),
  });

export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await requireAdult(request);
  const { searchParams } = new URL(request.url);
  const person = viewer.user && { userId: viewer.user.id, email: viewer.user.email };
  const [{ now, plans }, totals, canChange] = await Promise.all([
    listOffer(person, viewer.session ?? undefined),
    findTotals(),
    hasPortal(viewer.subscription),
  ]);
  const requested = searchParams.get("plan");
  const { help, can, promotionCodes, renews } = sellerCapabilities();
  const seller = sellerName();
  const current = currentPlan(viewer.subscription, { now, seller, hasPortal: canChange });
  // What is said below a subscription is about that one, not about what is sold now.
  const own = current && viewer.subscription;
  return {
    isSignedIn: viewer.user !== null,
    plans: plans.map((plan) => planView(plan, now)),
    chosen: plans.find(({ priceId }) => priceId === requested)?.priceId ?? plans[0]?.priceId ?? "",
    next: safeRedirect(searchParams.get("next"), ""),
    statement: siteFacts.statement,
    hasTax: siteFacts.hasTax,
    totals,
    current,
    past: pastSentence(viewer.subscription, { now, seller }),
    biller: help,
    takesCodes: promotionCodes,
    isFinal: own ? !canKeep(own) : !can.keep,
    isPrepaid: own ? own.isPrepaid : !renews,
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const viewer = await requireAdult(request);
  const form = await readForm(request);
  const priceId = field(form, "plan").slice(0, MAX_ID_LENGTH);
  const next = safeRedirect(field(form, "next"), "");
  if (!isMember(viewer)) {
    return redirect(paths.signIn(paths.subscribe({ plan: priceId, next })), { status: 303 });
  }
  const { id: userId, email } = viewer.user;
  await limitChanges(userId);
  const consentHash = field(form, `consent-${priceId}`) || null;
  const network = networkOf(clientAddress(request));
  const purchase = { userId, email, priceId, consentHash, network };
  const refuse = (error: PurchaseError, { reason = "", status = 422 } = {}) => {
    const logged = logRefusal(request, `purchase: ${error}`, reason);
    // Without a reason for the host, the sentence says what to do.
    const errorId = reason === "" ? undefined : logged;
    return data({ error, priceId, consentHash, errorId }, { status });
  };

  const refusal = await findRefusal(purchase);
  if (refusal !== null) return refuse(refusal);
  await limitPayments(userId);
  try {
    const start = await startCheckout(purchase);
    if (start.kind === "refused") return refuse(start.why, start);
    if (start.kind === "closing") return redirect(paths.account(), { status: 303 });
    if (start.kind === "subscribed") return redirect(paths.subscription(), { status: 303 });
    const headers = { "Set-Cookie": await serializeCameFrom(next || null) };
    if (start.kind === "paid")
      return redirect(paths.subscribeReturn(start.checkoutId), { status: 303, headers });
    // By the browser itself: our way to a page that cannot be closed is no page of the router's.
    return redirectDocument(start.url, { status: 303, headers });
  } catch (error) {
    if (isProviderUnreachable(error)) return refuse("unreachable", { reason: error.message, status: 503 });
    throw error;
  }
}

export default function SubscribePage() {
  const { plans, current, past, isSignedIn, totals, isFinal, isPrepaid, ...offer } =
    useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <Page>
      <header className={styles.opening}>
        <h1>Everything, in full.</h1>
        <p className={styles.lead}>
          One subscription opens every video and every photo set, for as long as it lasts. No advertising, no
          trackers, and leaving is as easy as joining.
        </p>
      </header>
      {current ? (
        <SubscriptionState {...current} />
      ) : (
        <>
          {past ? <Card className={styles.state}>{past}</Card> : null}
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
        <Questions isFinal={isFinal} isPrepaid={isPrepaid} />
      </section>
    </Page>
  );
}
