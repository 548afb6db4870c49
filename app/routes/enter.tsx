import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { paths, withQuery } from "#app/paths.ts";
import styles from "#app/ui/forms/form.module.css";
import { buttonClass } from "#app/ui/parts/button.tsx";
import { field, readForm } from "#app/web/forms/form-body.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { siteFacts } from "#app/web/pages/site-facts.server.ts";
import { keepBrowserId } from "#app/web/request/browser-id.server.ts";
import { safeRedirect } from "#app/web/request/safe-redirect.ts";
import { serializeAgeProof } from "#app/web/session/age-cookie.server.ts";
import { redirectWithCookies } from "#app/web/session/cookie-check.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";

export const meta: MetaFunction = () => pageMeta({ canonical: paths.enter() });

export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await anyone(request);
  const query = new URL(request.url).searchParams;
  const next = safeRedirect(query.get("next"));
  if (viewer.isAdult) throw redirect(next);

  return { next, hasLeft: query.has("left"), siteName: siteFacts.siteName };
}

export async function action({ request }: ActionFunctionArgs) {
  await anyone(request);
  const form = await readForm(request);
  const browser = await keepBrowserId(request);
  const headers = new Headers({ "Set-Cookie": browser.setCookie });
  headers.append("Set-Cookie", await serializeAgeProof(browser));
  return redirectWithCookies(request, safeRedirect(field(form, "next")), {
    use: "gate",
    headers,
    status: 302,
  });
}

export default function EnterPage() {
  const { next, hasLeft, siteName } = useLoaderData<typeof loader>();
  if (hasLeft) {
    return (
      <div className={styles.column}>
        <h1>Goodbye</h1>
        <p>Nothing on this site was shown to you. You can close this page now.</p>
        <p>
          <a href={paths.enter(next)} className={buttonClass("quiet")}>
            I am of legal age after all
          </a>
        </p>
      </div>
    );
  }
  return (
    <div className={styles.column}>
      <h1>Are you of legal age?</h1>
      <p>
        {siteName} shows photography and video for adults. By entering you confirm that you are at least 18
        years old and of legal age to view adult material where you live.
      </p>
      <Form method="post" action={paths.enter()} reloadDocument>
        <input type="hidden" name="next" value={next} />
        <div className={styles.pair}>
          <button type="submit" className={buttonClass()}>
            Enter
          </button>
          <a href={withQuery(paths.enter(), { left: 1, next })} className={buttonClass("quiet")}>
            Leave
          </a>
        </div>
      </Form>
    </div>
  );
}
