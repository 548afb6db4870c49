import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import styles from "#app/ui/forms/form.module.css";
import { requireAdult } from "#app/web/guards.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Not subscribed", robots: "noindex" });

/**
 * Where the provider's page leads who turns back, also who paid in another window meanwhile. Nothing is taken back here: the
 * page may be opened again.
 */
export async function loader({ request }: LoaderFunctionArgs) {
  const { subscription } = await requireAdult(request);
  return { isSubscribed: subscription?.isCurrent === true };
}

export default function CancelledPage() {
  if (useLoaderData<typeof loader>().isSubscribed) {
    return (
      <div className={styles.column}>
        <h1>You are subscribed</h1>
        <p>You left a payment page, and have a subscription all the same: your account says what it is.</p>
        <Link to={`${paths.account()}#subscription`} className={buttonClass()}>
          Your subscription
        </Link>
      </div>
    );
  }
  return (
    <div className={styles.column}>
      <h1>You left the payment page</h1>
      <p>Unless you paid, nothing was charged and no subscription has begun. The offer is where it was.</p>
      <Link to={paths.subscribe()} className={buttonClass()}>
        Back to the offer
      </Link>
      <Link to={paths.list("video", { access: "free" })}>Or see what is free</Link>
    </div>
  );
}
