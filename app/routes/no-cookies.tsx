import { Button } from "@mantine/core";
import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { type CookieUse, paths } from "#app/paths.ts";
import styles from "#app/ui/forms/form.module.css";
import "#app/ui/theme/mantine.css";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { safeRedirect } from "#app/web/request/safe-redirect.ts";
import { keepsCookies } from "#app/web/session/cookie-check.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";

interface Loss {
  /** Follows "cannot remember". */
  what: string;
  sentence?: string;
  retry: (next: string) => string;
}

const LOSSES: Record<CookieUse, Loss> = {
  gate: { what: "that you are of legal age", retry: paths.enter },
  mail: {
    what: "that you asked for an email",
    sentence: "The email is on its way anyway. Follow its link in a browser that keeps cookies.",
    retry: () => paths.signIn(),
  },
  link: {
    what: "that you are signed in",
    sentence:
      "The link has now been used. The code in the same email still works in the browser where you asked for it, if that browser keeps cookies.",
    retry: paths.signIn,
  },
  colors: { what: "which colors you chose", retry: (next) => next },
};

export const meta: MetaFunction = () => pageMeta({ title: "Cookies", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  await anyone(request);
  const query = new URL(request.url).searchParams;
  const next = safeRedirect(query.get("next"));
  const use = toUse(query.get("for"));
  if (use === null || (await keepsCookies(request))) throw redirect(next);

  return { use, next };
}

export default function NoCookiesPage() {
  const { use, next } = useLoaderData<typeof loader>();
  const { what, sentence, retry } = LOSSES[use];
  return (
    <div className={styles.column}>
      <h1>Your browser does not keep cookies</h1>
      <p>This site could not find its cookie in your browser. Without one, it cannot remember {what}.</p>
      {sentence !== undefined && <p>{sentence}</p>}
      <p>
        Please allow cookies for this site in your browser's settings, and check whether an extension blocks
        them. Then try again.
      </p>
      <p>
        <Button component={Link} to={retry(next)} reloadDocument>
          Try again
        </Button>
      </p>
    </div>
  );
}

function toUse(name: string | null): CookieUse | null {
  return name !== null && Object.hasOwn(LOSSES, name) ? (name as CookieUse) : null;
}
