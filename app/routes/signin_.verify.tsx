import { Button } from "@mantine/core";
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { findOpenLink, signInByLink } from "#app/domain/auth/sign-in.server.ts";
import { SIGN_IN_LIFETIME } from "#app/domain/auth/sign-in-lifetime.ts";
import { paths } from "#app/paths.ts";
import styles from "#app/ui/forms/form.module.css";
import { ErrorIdLine, Problem } from "#app/ui/forms/problem.tsx";
import "#app/ui/theme/mantine.css";
import { field, readForm } from "#app/web/forms/form-body.server.ts";
import { noteRefusal } from "#app/web/forms/refusal-id.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { readBrowserHash } from "#app/web/request/browser-id.server.ts";
import { limitVerify } from "#app/web/request/limits.server.ts";
import { beginSession } from "#app/web/session/begin-session.server.ts";
import { identifyBrowser } from "#app/web/session/browser.server.ts";
import { openLink } from "#app/web/session/email-link.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";
import { readSessionTokenHash } from "#app/web/session/session-cookie.server.ts";

const REFUSED = `This link did not sign you in: it is used, replaced by a newer one, or older than ${SIGN_IN_LIFETIME}.`;

export const meta: MetaFunction = () => pageMeta({ title: "Sign in", robots: "noindex" });

/** Mail scanners open every link, so a GET changes nothing. */
export async function loader({ request }: LoaderFunctionArgs) {
  await anyone(request);
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const browserHash = await readBrowserHash(request);
  const open = await openLink(token, ({ nonce }) => findOpenLink(nonce, browserHash));

  const errorId = open === null ? noteRefusal(request, "sign-in link") : null;
  return data({ token, open, errorId }, { status: token === "" ? 400 : 200 });
}

export async function action({ request }: ActionFunctionArgs) {
  await anyone(request);
  await limitVerify(request);
  const form = await readForm(request);
  const isConfirmed = field(form, "confirm") === "yes";
  const { browser, setCookie } = await identifyBrowser(request);
  const oldTokenHash = await readSessionTokenHash(request);
  const result = await openLink(field(form, "token"), (link) =>
    signInByLink({ ...link, isConfirmed }, browser, oldTokenHash),
  );
  if (!result?.ok) {
    return data({ problem: REFUSED, errorId: noteRefusal(request, "sign-in link") }, { status: 422 });
  }

  return beginSession(result.token, result.next, setCookie);
}

export default function VerifyPage() {
  const { token, open, errorId } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  if (open === null) {
    return (
      <div className={styles.column}>
        <h1>This link no longer works</h1>
        <p>It was used already, a newer one was sent, or it is older than {SIGN_IN_LIFETIME}.</p>
        <ErrorIdLine id={refused?.errorId ?? errorId ?? undefined} />
        <p>
          <Button component={Link} to={paths.signIn()}>
            Ask for a new link
          </Button>
        </p>
      </div>
    );
  }
  return (
    <div className={styles.column}>
      <h1>
        Sign in as <span className={styles.address}>{open.maskedEmail}</span>
      </h1>
      <Problem id="link-problem">{refused?.problem}</Problem>
      <ErrorIdLine id={refused?.errorId} />
      {open.isSameBrowser ? (
        <p>Press the button and this browser is signed in. The link works once.</p>
      ) : (
        <p>
          This link was asked for in another browser: <strong>{open.device}</strong>
          {open.network !== null && <> in the network {open.network}</>}. Continue only if you requested it.
        </p>
      )}
      <Form method="post" action={paths.signInVerify()}>
        <input type="hidden" name="token" value={token} />
        {!open.isSameBrowser && <input type="hidden" name="confirm" value="yes" />}
        <Button type="submit">{open.isSameBrowser ? "Sign in" : "That was me, sign in here"}</Button>
      </Form>
    </div>
  );
}
