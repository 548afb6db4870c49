import { getFormProps, useForm } from "@conform-to/react";
import { Stack } from "@mantine/core";
import {
  type ActionFunctionArgs,
  data,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import { requestSignIn } from "#app/domain/auth/sign-in.server.ts";
import { signInForm } from "#app/domain/auth/sign-in-forms.ts";
import { paths } from "#app/paths.ts";
import { MAX_ADDRESS_LENGTH } from "#app/texts.ts";
import { errorText } from "#app/ui/errors/error-texts.ts";
import { Field } from "#app/ui/forms/field.tsx";
import styles from "#app/ui/forms/form.module.css";
import { ErrorIdLine, FormError } from "#app/ui/forms/form-error.tsx";
import { HoneypotField } from "#app/ui/forms/honeypot-field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import "#app/ui/theme/mantine.css";
import { requestLink } from "#app/adapters/email-link.server.ts";
import { checkForm } from "#app/web/forms/checked-form.server.ts";
import { readForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal, logUnknownFields } from "#app/web/forms/form-refusal.server.ts";
import type { PageHandle } from "#app/web/pages/page-cache.server.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { siteFacts } from "#app/web/pages/site-facts.server.ts";
import { limitSignInMail } from "#app/web/request/limits.server.ts";
import { retryAfter } from "#app/web/request/retry-after.ts";
import { safeRedirect } from "#app/web/request/safe-redirect.ts";
import { redirectWithCookies } from "#app/web/session/cookie-check.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";
import { identifyBrowser } from "#app/web/session/identify-browser.server.ts";
import { hasRequestedMail, serializeSignInRequest } from "#app/web/session/sign-in-request-cookie.server.ts";

const HIDDEN_FIELD_FILLED =
  "Something filled in a hidden field of this form, perhaps a password manager or a browser extension, so nothing was sent.";

export const handle: PageHandle = { isSharedBySignedOut: true };

export const meta: MetaFunction = () => pageMeta({ title: "Sign in", robots: "noindex" });

export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await anyone(request);
  const { searchParams } = new URL(request.url);
  const next = safeRedirect(searchParams.get("next"));
  if (viewer.user !== null) throw redirect(next);

  return { next, state: stateIn(searchParams), hasOutbox: siteFacts.hasOutbox };
}

function stateIn(searchParams: URLSearchParams): string | null {
  if (searchParams.has("unsaved")) return "Sign in to continue. Your changes were not saved.";
  const where = searchParams.get("signedOut");
  if (where === "everywhere") return "You are signed out on all devices.";
  return where === "here" ? "You are signed out." : null;
}

export async function action({ request }: ActionFunctionArgs) {
  await anyone(request);
  const checked = checkForm(await readForm(request), signInForm);
  if (!checked.ok) {
    const errorId = logUnknownFields(request, "sign-in", checked);
    return data({ ...checked.refused(), errorId, hasOlderMail: false }, { status: 422 });
  }

  const { email, leaveEmpty } = checked.value;
  if (leaveEmpty) {
    const errorId = logRefusal(request, "sign-in: hidden field");
    const answer = { errorId, hasOlderMail: false };
    return data({ ...checked.refused({ leaveEmpty: HIDDEN_FIELD_FILLED }), ...answer }, { status: 422 });
  }
  const limited = await limitSignInMail(request, email).catch(refusalOf);
  if ("sentence" in limited) {
    const { sentence, retryAfterSeconds } = limited;
    const answer = { errorId: undefined, hasOlderMail: await hasRequestedMail(request) };
    return data(
      { ...checked.refused({ email: sentence }), ...answer },
      { status: 429, headers: retryAfter(retryAfterSeconds) },
    );
  }
  const { isFromReserve } = limited;

  const { browser, setCookie } = await identifyBrowser(request);
  const { plan } = checked.value;
  const after = safeRedirect(checked.value.next);
  const next = plan ? paths.subscribe({ plan, next: unlessHome(after) }) : after;
  await requestLink(email, (made) => requestSignIn({ ...browser, ...made, email, next, isFromReserve }));
  const headers = new Headers({ "Set-Cookie": setCookie });
  headers.append("Set-Cookie", await serializeSignInRequest());
  // The cookie check refuses longer addresses, and the code matters more than the page after it.
  const code = safeRedirect(paths.signInCode({ next: unlessHome(next) }), paths.signInCode());
  return redirectWithCookies(request, code, { use: "mail", headers });
}

function unlessHome(next: string): string | undefined {
  return next === paths.home() ? undefined : next;
}

/** Answered in the form, which keeps the typed address, and not by the error page. */
async function refusalOf(refusal: unknown): Promise<{ sentence: string; retryAfterSeconds: number }> {
  if (!(refusal instanceof Response) || refusal.status !== 429) throw refusal;
  const { retryAfterSeconds, isShared } = await refusal.json();
  const { sentence } = errorText(429, { waitSeconds: retryAfterSeconds, isShared });
  return { sentence, retryAfterSeconds };
}

export default function SignInPage() {
  const { next, state, hasOutbox } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const [form, fields] = useForm<z.input<typeof signInForm>, string[]>({
    id: "sign-in",
    lastResult: refused,
    defaultValue: { next },
    constraint: { email: { required: true, maxLength: MAX_ADDRESS_LENGTH } },
  });
  // A refused form stays at its action, and a reload there would forget the next page.
  const here = paths.signIn(unlessHome(next));
  return (
    <div className={styles.column}>
      {state !== null && refused === undefined && <p role="status">{state}</p>}
      <h1>Sign in / Sign Up</h1>
      <p>We email you a link and a code. There is no password. Your first sign-in creates your account.</p>
      {/* Browsers refuse addresses with an invisible blank; the action does not. */}
      <Form method="post" action={here} {...getFormProps(form)} noValidate>
        <Stack gap="lg">
          <FormError id={form.errorId}>{form.errors?.[0]}</FormError>
          <ErrorIdLine id={form.errors && refused?.errorId} />
          <input type="hidden" name={fields.next.name} value={fields.next.initialValue ?? "/"} />
          {fields.plan.initialValue ? (
            <input type="hidden" name={fields.plan.name} value={fields.plan.initialValue} />
          ) : null}
          <HoneypotField field={fields.leaveEmpty}>
            <ErrorIdLine id={refused?.errorId} />
          </HoneypotField>
          <Field
            field={fields.email}
            label="Email address"
            type="email"
            autoComplete="email"
            inputMode="email"
            withAsterisk={false}
          />
          {refused?.hasOlderMail && (
            <p>
              If you already have a link or a code, it may still work:{" "}
              <Link to={paths.signInCode({ next: unlessHome(next) })}>type the code</Link>.
            </p>
          )}
          <SubmitButton busyLabel="Sending …" isOurs={(sent) => sent.has("email")}>
            Send me a link
          </SubmitButton>
        </Stack>
      </Form>
      {hasOutbox && (
        <p className={styles.hint}>
          This is a demo, so its emails are not sent. Read them in the <Link to={paths.outbox()}>outbox</Link>
          .
        </p>
      )}
    </div>
  );
}
