import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { findOpenRequest, signInByCode } from "#app/domain/auth/sign-in.server.ts";
import { paths } from "#app/paths.ts";
import styles from "#app/ui/forms/form.module.css";
import { Problem } from "#app/ui/forms/problem.tsx";
import { beginSession } from "#app/web/begin-session.server.ts";
import { field, readForm } from "#app/web/form-body.server.ts";
import { anyone } from "#app/web/guards.server.ts";
import { limitVerify } from "#app/web/limits.server.ts";
import { readSessionTokenHash } from "#app/web/session-cookie.server.ts";
import { readBrowser, readBrowserHash } from "#app/web/sign-in-browser.server.ts";
import { siteFacts } from "#app/web/site-facts.server.ts";

const PROBLEMS = {
  invalid: "That is not the code we sent. Please look at the newest mail and try again.",
  tooManyTries: "This code is used, expired or was tried too often. Please ask for a new one.",
};

import { pageMeta } from "#app/web/page-meta.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Check your mail", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  await anyone(request);
  const browserHash = await readBrowserHash(request);
  if (browserHash === null) throw redirect(paths.signIn());

  const open = await findOpenRequest(browserHash);
  return { maskedEmail: open?.maskedEmail ?? null, isDemo: siteFacts.isDemo };
}

export async function action({ request }: ActionFunctionArgs) {
  await anyone(request);
  await limitVerify(request);
  const form = await readForm(request);
  const browser = await readBrowser(request);
  const result = await signInByCode(field(form, "code"), browser, await readSessionTokenHash(request));
  if (!result.ok) return data({ problem: PROBLEMS[result.reason] }, { status: 422 });

  return beginSession(result.token, result.next);
}

export default function CodePage() {
  const { maskedEmail, isDemo } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <div className={styles.column}>
      <h1>Check your mail</h1>
      <p>
        We sent a link and a code{maskedEmail === null ? "" : ` to ${maskedEmail}`}. Follow the link, or type
        the code here. Both work once, for ten minutes.
      </p>
      <Form method="post" action={paths.signInCode()} className={styles.form}>
        <div className={styles.field}>
          <label htmlFor="code">Code</label>
          <input
            id="code"
            name="code"
            className={styles.code}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={20}
            required
            aria-invalid={refused ? true : undefined}
            aria-describedby={refused ? "code-problem" : undefined}
          />
          <Problem id="code-problem">{refused?.problem}</Problem>
        </div>
        <button type="submit" className={styles.submit}>
          Sign in
        </button>
      </Form>
      <p className={styles.hint}>
        No mail? <Link to={paths.signIn()}>Ask again</Link>
        {isDemo && (
          <>
            {" "}
            or look into the demo's <Link to={paths.outbox()}>outbox</Link>
          </>
        )}
        .
      </p>
    </div>
  );
}
