import { getFormProps, useForm } from "@conform-to/react";
import { Stack } from "@mantine/core";
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
import { formatMinute } from "#app/dates.ts";
import { signInByCode } from "#app/domain/auth/sign-in.server.ts";
import { CODE_ERRORS, codeForm } from "#app/domain/auth/sign-in-forms.ts";
import { findOpenRequest, SIGN_IN_LIFETIME } from "#app/domain/auth/sign-in-requests.server.ts";
import { STEP_UPS, type StepUp, toStepUp } from "#app/domain/auth/step-up.ts";
import { paths } from "#app/paths.ts";
import { inSentence, MAX_CODE_LENGTH } from "#app/texts.ts";
import { Field } from "#app/ui/forms/field.tsx";
import styles from "#app/ui/forms/form.module.css";
import { ErrorIdLine, FormError } from "#app/ui/forms/form-error.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import "#app/ui/theme/mantine.css";
import { checkForm } from "#app/web/forms/checked-form.server.ts";
import { readForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal, logUnknownFields } from "#app/web/forms/form-refusal.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { siteFacts } from "#app/web/pages/site-facts.server.ts";
import { readBrowserHash } from "#app/web/request/browser-id.server.ts";
import { limitVerify } from "#app/web/request/limits.server.ts";
import { beginSession } from "#app/web/session/begin-session.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";
import { identifyBrowser } from "#app/web/session/identify-browser.server.ts";
import { readSessionTokenHash } from "#app/web/session/session-cookie.server.ts";
import { hasRequestedMail } from "#app/web/session/sign-in-request-cookie.server.ts";

const LATER_LOOKS_MS = [4_000, 15_000];

export const meta: MetaFunction = () => pageMeta({ title: "Check your email", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  await anyone(request);
  const next = new URL(request.url).searchParams.get("next") ?? undefined;
  const browserHash = await readBrowserHash(request);
  if (browserHash === null || !(await hasRequestedMail(request))) throw redirect(paths.signIn(next));

  const open = await findOpenRequest(browserHash);
  const stepUp = stepUpIn(request);
  return {
    stepUp,
    purpose: stepUp && STEP_UPS[stepUp].purpose,
    next,
    maskedEmail: open?.maskedEmail ?? null,
    isFromReserve: open?.isFromReserve ?? false,
    unsentMailId: open?.unsentMailId ?? null,
    linkUse: open?.linkUse ?? null,
    lifetime: SIGN_IN_LIFETIME,
    hasOutbox: siteFacts.hasOutbox,
  };
}

export async function action({ request }: ActionFunctionArgs) {
  await anyone(request);
  await limitVerify(request);
  const checked = checkForm(await readForm(request), codeForm);
  if (!checked.ok) {
    const errorId = logUnknownFields(request, "sign-in code", checked);
    return data({ ...checked.refused(), errorId }, { status: 422 });
  }

  const { browser, setCookie } = await identifyBrowser(request);
  const result = await signInByCode(checked.value.code, browser, await readSessionTokenHash(request));
  if (!result.ok) {
    logRefusal(request, `sign-in code: ${result.reason}`);
    const refused = checked.refused({ code: CODE_ERRORS[result.reason] });
    return data({ ...refused, errorId: undefined }, { status: 422 });
  }

  return beginSession(request, { ...result, setBrowserCookie: setCookie });
}

/** Shows whether the email could be sent. Ends at the first refused code, so that nothing changes while its error is read. */
function useLaterLooks(isWaiting: boolean) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isWaiting) return;
    const timers = LATER_LOOKS_MS.map((wait) => setTimeout(revalidate, wait));
    return () => timers.forEach(clearTimeout);
  }, [isWaiting, revalidate]);
}

function stepUpIn(request: Request): StepUp | null {
  return toStepUp(new URL(request.url).searchParams.get("for"));
}

export default function CodePage() {
  const { maskedEmail, isFromReserve, unsentMailId, linkUse, lifetime, hasOutbox, stepUp, purpose, next } =
    useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  useLaterLooks(refused === undefined);
  const [form, fields] = useForm<z.input<typeof codeForm>, string[]>({
    id: "sign-in",
    lastResult: refused,
    constraint: { code: { required: true, maxLength: MAX_CODE_LENGTH } },
  });
  const requestAnother = stepUp === null ? paths.signIn(next) : paths.confirm(stepUp, next);
  const here = paths.signInCode({ for: stepUp ?? undefined, next });
  return (
    <div className={styles.column}>
      <h1>Check your email</h1>
      {purpose !== null && <p>Confirm that it is you, to {purpose}.</p>}
      {isFromReserve && (
        <p>
          Many emails were requested within an hour, from your network or on the whole site. The rest go only
          to addresses with an account. If yours is new here, or no email arrives within a few minutes, please
          ask again later.
        </p>
      )}
      <p>
        {isFromReserve ? "If there is an account, we send a link and a code" : "We sent a link and a code"}
        {maskedEmail !== null && (
          <>
            {" "}
            to <span className={styles.address}>{maskedEmail}</span>
          </>
        )}
        . Follow the link, or type the code here. Each can be used once, within {lifetime}.
      </p>
      {linkUse !== null && (
        <p>
          The link was used on {formatMinute(linkUse.usedAt)} by {inSentence(linkUse.device)}. The code still
          works here.
        </p>
      )}
      {unsentMailId !== null && (
        <FormError>
          <p>
            We could not send the email yet. We will keep trying for a few minutes. Check that the address is
            right, then <Link to={requestAnother}>ask again</Link>.
          </p>
          <ErrorIdLine id={unsentMailId} />
        </FormError>
      )}
      <Form method="post" action={here} {...getFormProps(form)}>
        <Stack gap="lg">
          <FormError id={form.errorId}>{form.errors?.[0]}</FormError>
          <Field
            field={fields.code}
            label="Code"
            classNames={{ input: styles.code }}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            withAsterisk={false}
          />
          <ErrorIdLine id={refused?.errorId} />
          <SubmitButton busyLabel="Signing in …" isOurs={(sent) => sent.has("code")}>
            Sign in
          </SubmitButton>
        </Stack>
      </Form>
      <p className={styles.hint}>
        No email? <Link to={requestAnother}>Ask again</Link> or{" "}
        <Link to={here}>check whether it was sent</Link>
        {hasOutbox && (
          <>
            , or look in the demo's <Link to={paths.outbox()}>outbox</Link>
          </>
        )}
        .
      </p>
    </div>
  );
}
