import { Button } from "@mantine/core";
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { isSubscribed } from "#app/domain/access/access.ts";
import { paths } from "#app/paths.ts";
import styles from "#app/ui/forms/form.module.css";
import "#app/ui/theme/mantine.css";
import type { PageHandle } from "#app/web/pages/page-cache.server.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { readCameFrom } from "#app/web/session/came-from.server.ts";
import { requireAdult } from "#app/web/session/guards.server.ts";

export const handle: PageHandle = { isSharedBySignedOut: true };

export const meta: MetaFunction = () => pageMeta({ title: "Not subscribed", robots: "noindex" });

/** The checkout stays open: the visitor may have paid in another window, or may open the page again. */
export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await requireAdult(request);
  return { isSubscribed: isSubscribed(viewer), next: (await readCameFrom(request)) ?? "" };
}

export default function CancelledPage() {
  const { isSubscribed, next } = useLoaderData<typeof loader>();
  if (isSubscribed) {
    return (
      <div className={styles.column}>
        <h1>You are subscribed</h1>
        <p>You left a payment page, but you do have a subscription. You can see it in your account.</p>
        <Button component={Link} to={paths.subscription()}>
          Your subscription
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.column}>
      <h1>You left the payment page</h1>
      <p>Unless you paid, you were not charged and have no subscription. The offer is still there.</p>
      <Button component={Link} to={paths.subscribe({ next })}>
        Back to the offer
      </Button>
      <Link to={paths.list("video", { access: "free" })}>Or see what is free</Link>
    </div>
  );
}
