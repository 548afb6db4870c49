import { getFormProps, useForm } from "@conform-to/react";
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import { requestSignIn } from "#app/domain/auth/sign-in.server.ts";
import { signInForm } from "#app/domain/auth/sign-in-forms.ts";
import { MAX_ADDRESS_LENGTH } from "#app/domain/mail/address.ts";
import { paths } from "#app/paths.ts";
import { Field } from "#app/ui/forms/field.tsx";
import styles from "#app/ui/forms/form.module.css";
import { Problem } from "#app/ui/forms/problem.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { checkForm } from "#app/web/checked-form.server.ts";
import { askForLink } from "#app/web/email-link.server.ts";
import { readForm } from "#app/web/form-body.server.ts";
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

  return { next, hasOutbox: siteFacts.hasOutbox };
}

export async function action({ request }: ActionFunctionArgs) {
  await anyone(request);
  const checked = checkForm(await readForm(request), signInForm);
  if (!checked.ok) return data(checked.refused(), { status: 422 });

  const { email } = checked.value;
  await limitSignInMail(request, email);

  // A program that is told nothing has nothing to learn from.
  const isPerson = !checked.value.website;
  const { browser, setCookie } = await markBrowser(request);
  const next = safeRedirect(checked.value.next);
  if (isPerson) await askForLink(email, (made) => requestSignIn({ ...browser, ...made, email, next }));
  return redirect(paths.signInCode(), { status: 303, headers: { "Set-Cookie": setCookie } });
}

export default function SignInPage() {
  const { next, hasOutbox } = useLoaderData<typeof loader>();
  const [form, fields] = useForm<z.input<typeof signInForm>, string[]>({
    id: "sign-in",
    lastResult: useActionData<typeof action>(),
    defaultValue: { next },
    constraint: { email: { required: true, maxLength: MAX_ADDRESS_LENGTH } },
  });
  return (
    <div className={styles.column}>
      <h1>Sign in / Sign Up</h1>
      <p>We send you a link and a code. There is no password; the first sign-in makes your account.</p>
      <Form method="post" action={paths.signIn()} className={styles.form} {...getFormProps(form)}>
        <Problem id={form.errorId}>{form.errors?.[0]}</Problem>
        <input type="hidden" name={fields.next.name} value={fields.next.initialValue ?? "/"} />
        <div className={styles.aside} aria-hidden="true">
          <label>
            Website
            <input type="text" name={fields.website.name} tabIndex={-1} autoComplete="off" />
          </label>
        </div>
        <Field
          field={fields.email}
          label="Mail address"
          type="email"
          autoComplete="email"
          inputMode="email"
          withAsterisk={false}
        />
        <SubmitButton busyWords="Sending …" isOurs={(sent) => sent.has("email")}>
          Send me a link
        </SubmitButton>
      </Form>
      {hasOutbox && (
        <p className={styles.hint}>
          This is a demo: mails do not leave it. They appear in the <Link to={paths.outbox()}>outbox</Link>.
        </p>
      )}
    </div>
  );
}
