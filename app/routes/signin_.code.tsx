import { getFormProps, useForm } from "@conform-to/react";
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import type { z } from "zod";
import { findOpenRequest, signInByCode } from "#app/domain/auth/sign-in.server.ts";
import { codeForm } from "#app/domain/auth/sign-in-forms.ts";
import { paths } from "#app/paths.ts";
import { ErrorIdLine } from "#app/ui/forms/error-id-line.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import styles from "#app/ui/forms/form.module.css";
import { Problem } from "#app/ui/forms/problem.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { beginSession } from "#app/web/begin-session.server.ts";
import { checkForm } from "#app/web/checked-form.server.ts";
import { readForm } from "#app/web/form-body.server.ts";
import { anyone } from "#app/web/guards.server.ts";
import { limitVerify } from "#app/web/limits.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";
import { noteRefusal } from "#app/web/refusal-id.server.ts";
import { readSessionTokenHash } from "#app/web/session-cookie.server.ts";
import { readBrowser, readBrowserHash } from "#app/web/sign-in-browser.server.ts";
import { siteFacts } from "#app/web/site-facts.server.ts";

const LATER_LOOKS_MS = [4_000, 15_000];
const PROBLEMS = {
  invalid: "That is not the code we sent. Please look at the newest mail and try again.",
  tooManyTries: "This code is used, expired or was tried too often. Please ask for a new one.",
};

export const meta: MetaFunction = () => pageMeta({ title: "Check your mail", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  await anyone(request);
  const browserHash = await readBrowserHash(request);
  if (browserHash === null) throw redirect(paths.signIn());

  const open = await findOpenRequest(browserHash);
  return {
    maskedEmail: open?.maskedEmail ?? null,
    unsentMailId: open?.unsentMailId ?? null,
    hasOutbox: siteFacts.hasOutbox,
  };
}

export async function action({ request }: ActionFunctionArgs) {
  await anyone(request);
  await limitVerify(request);
  const checked = checkForm(await readForm(request), codeForm);
  if (!checked.ok) return data(checked.refused(), { status: 422 });

  const browser = await readBrowser(request);
  const result = await signInByCode(checked.value.code, browser, await readSessionTokenHash(request));
  if (!result.ok) {
    const errorId = noteRefusal(request, `sign-in code: ${result.reason}`);
    return data({ ...checked.refused({ code: PROBLEMS[result.reason] }), errorId }, { status: 422 });
  }

  return beginSession(result.token, result.next);
}

/**
 * Mails leave after this page is drawn: it looks again whether this one could. Not for those who have typed a code: they
 * have a mail, and looking takes away the id of what was refused.
 */
function useLaterLooks(isWaiting: boolean) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isWaiting) return;
    const timers = LATER_LOOKS_MS.map((wait) => setTimeout(revalidate, wait));
    return () => timers.forEach(clearTimeout);
  }, [isWaiting, revalidate]);
}

export default function CodePage() {
  const { maskedEmail, unsentMailId, hasOutbox } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  useLaterLooks(refused === undefined);
  const [form, fields] = useForm<z.input<typeof codeForm>, string[]>({
    id: "sign-in",
    lastResult: refused,
    constraint: { code: { required: true, maxLength: 20 } },
  });
  return (
    <div className={styles.column}>
      <h1>Check your mail</h1>
      <p>
        We sent a link and a code
        {maskedEmail !== null && (
          <>
            {" "}
            to <span className={styles.address}>{maskedEmail}</span>
          </>
        )}
        . Follow the link, or type the code here. Both work once, for ten minutes.
      </p>
      {unsentMailId !== null && (
        <div role="alert" className={styles.problem}>
          <p>
            The mail could not be sent so far. We go on trying for a few minutes. See that the address is
            right, then <Link to={paths.signIn()}>ask again</Link>.
          </p>
          <ErrorIdLine id={unsentMailId} />
        </div>
      )}
      <Form method="post" action={paths.signInCode()} className={styles.form} {...getFormProps(form)}>
        <Problem id={form.errorId}>{form.errors?.[0]}</Problem>
        <Field
          field={fields.code}
          label="Code"
          classNames={{ input: styles.code }}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          withAsterisk={false}
        />
        <ErrorIdLine id={refused && "errorId" in refused ? refused.errorId : undefined} />
        <SubmitButton busyWords="Signing in …" isOurs={(sent) => sent.has("code")}>
          Sign in
        </SubmitButton>
      </Form>
      <p className={styles.hint}>
        No mail? <Link to={paths.signIn()}>Ask again</Link>, see{" "}
        <Link to={paths.signInCode()}>whether it was sent</Link>
        {hasOutbox && (
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
