import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { requestSignIn } from "#app/domain/auth/sign-in.server.ts";
import { parseAddress } from "#app/domain/mail/address.ts";
import { paths } from "#app/paths.ts";
import styles from "#app/ui/forms/form.module.css";
import { Problem } from "#app/ui/forms/problem.tsx";
import { askForLink } from "#app/web/email-link.server.ts";
import { field, readForm } from "#app/web/form-body.server.ts";
import { anyone } from "#app/web/guards.server.ts";
import { limitSignInMail } from "#app/web/limits.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";
import { safeRedirect } from "#app/web/safe-redirect.ts";
import { markBrowser } from "#app/web/sign-in-browser.server.ts";
import { siteFacts } from "#app/web/site-facts.server.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Sign in", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await anyone(request);
  const next = safeRedirect(new URL(request.url).searchParams.get("next"));
  if (viewer.user !== null) throw redirect(next);

  return { next, isDemo: siteFacts.isDemo };
}

export async function action({ request }: ActionFunctionArgs) {
  await anyone(request);
  const form = await readForm(request);
  const typed = field(form, "email");
  const email = parseAddress(typed);
  if (email === null) {
    return data(
      { typed, problem: "Please type one complete address, like you@example.com." },
      { status: 422 },
    );
  }
  await limitSignInMail(request, email);

  const { browser, setCookie } = await markBrowser(request);
  const next = safeRedirect(field(form, "next"));
  await askForLink(email, (made) => requestSignIn({ ...browser, ...made, email, next }));
  return redirect(paths.signInCode(), { status: 303, headers: { "Set-Cookie": setCookie } });
}

export default function SignInPage() {
  const { next, isDemo } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <div className={styles.column}>
      <h1>Sign in / Sign Up</h1>
      <p>We send you a link and a code. There is no password; the first sign-in makes your account.</p>
      <Form method="post" action={paths.signIn()} className={styles.form} noValidate>
        <input type="hidden" name="next" value={next} />
        <div className={styles.field}>
          <label htmlFor="email">Mail address</label>
          <input
            id="email"
            name="email"
            type="email"
            autoComplete="email"
            maxLength={254}
            required
            defaultValue={refused?.typed}
            aria-invalid={refused ? true : undefined}
            aria-describedby={refused ? "email-problem" : undefined}
          />
          <Problem id="email-problem">{refused?.problem}</Problem>
        </div>
        <button type="submit" className={styles.submit}>
          Send me a link
        </button>
      </Form>
      {isDemo && (
        <p className={styles.hint}>
          This is a demo: mails do not leave it. They appear in the <Link to={paths.outbox()}>outbox</Link>.
        </p>
      )}
    </div>
  );
}
