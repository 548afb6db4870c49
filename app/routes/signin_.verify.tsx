import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { findOpenLink, signInByLink } from "#app/domain/auth/sign-in.server.ts";
import { paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { ErrorIdLine } from "#app/ui/forms/error-id-line.tsx";
import styles from "#app/ui/forms/form.module.css";
import { Problem } from "#app/ui/forms/problem.tsx";
import { beginSession } from "#app/web/begin-session.server.ts";
import { openLink } from "#app/web/email-link.server.ts";
import { field, readForm } from "#app/web/form-body.server.ts";
import { anyone } from "#app/web/guards.server.ts";
import { limitVerify } from "#app/web/limits.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";
import { noteRefusal } from "#app/web/refusal-id.server.ts";
import { readSessionTokenHash } from "#app/web/session-cookie.server.ts";
import { readBrowser, readBrowserHash } from "#app/web/sign-in-browser.server.ts";

const REFUSED =
  "This link did not sign you in: it is used, replaced by a newer one, or older than ten minutes.";

export const meta: MetaFunction = () => pageMeta({ title: "Sign in", robots: "noindex" });

/** Mail scanners open every link, so looking at this page changes nothing. */
export async function loader({ request }: LoaderFunctionArgs) {
  await anyone(request);
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const browserHash = await readBrowserHash(request);
  const open = await openLink(token, ({ nonce }) => findOpenLink(nonce, browserHash));

  return { token, open, errorId: open === null ? noteRefusal(request, "sign-in link") : null };
}

export async function action({ request }: ActionFunctionArgs) {
  await anyone(request);
  await limitVerify(request);
  const form = await readForm(request);
  const isConfirmed = field(form, "confirm") === "yes";
  const browser = await readBrowser(request);
  const oldTokenHash = await readSessionTokenHash(request);
  const result = await openLink(field(form, "token"), (link) =>
    signInByLink({ ...link, isConfirmed }, browser, oldTokenHash),
  );
  if (!result?.ok) {
    return data({ problem: REFUSED, errorId: noteRefusal(request, "sign-in link") }, { status: 422 });
  }

  return beginSession(result.token, result.next);
}

export default function VerifyPage() {
  const { token, open, errorId } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  if (open === null) {
    return (
      <div className={styles.column}>
        <h1>This link no longer works</h1>
        <p>It was used already, a newer one was sent, or it is older than ten minutes.</p>
        <ErrorIdLine id={refused?.errorId ?? errorId ?? undefined} />
        <p>
          <Link to={paths.signIn()} className={buttonClass()}>
            Ask for a new link
          </Link>
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
          {open.network !== null && <> in the network {open.network}</>}. Only go on when that was you.
        </p>
      )}
      <Form method="post" action={paths.signInVerify()} className={styles.form}>
        <input type="hidden" name="token" value={token} />
        {!open.isSameBrowser && <input type="hidden" name="confirm" value="yes" />}
        <button type="submit" className={buttonClass()}>
          {open.isSameBrowser ? "Sign in" : "That was me, sign in here"}
        </button>
      </Form>
    </div>
  );
}
