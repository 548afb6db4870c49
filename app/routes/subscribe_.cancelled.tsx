import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import styles from "#app/ui/forms/form.module.css";
import { requireAdult } from "#app/web/guards.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Not subscribed", robots: "noindex" });

/** Where the provider's page leads who turns back. Nothing is taken back here: the page may be opened again. */
export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdult(request);
  return null;
}

export default function CancelledPage() {
  return (
    <div className={styles.column}>
      <h1>Nothing was charged</h1>
      <p>You left the payment page before paying, so no subscription has begun. The offer is where it was.</p>
      <Link to={paths.subscribe()} className={buttonClass()}>
        Back to the offer
      </Link>
      <Link to={paths.list("video", { access: "free" })}>Or see what is free</Link>
    </div>
  );
}
