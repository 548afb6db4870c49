import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { requestLink } from "#app/adapters/email-link.server.ts";
import { requestSignIn } from "#app/domain/auth/sign-in.server.ts";
import { STEP_UPS, type StepUp, toStepUp } from "#app/domain/auth/step-up.ts";
import { shownAddress } from "#app/domain/mail/shown-address.server.ts";
import { paths } from "#app/paths.ts";
import styles from "#app/ui/forms/form.module.css";
import { ErrorIdLine, FormError } from "#app/ui/forms/form-error.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { field, readForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { limitSignInMail } from "#app/web/request/limits.server.ts";
import { safeRedirect } from "#app/web/request/safe-redirect.ts";
import { hasFreshSignIn, requireMember } from "#app/web/session/guards.server.ts";
import { identifyBrowser } from "#app/web/session/identify-browser.server.ts";
import { serializeSignInRequest } from "#app/web/session/sign-in-request-cookie.server.ts";

/** Only the studio reads its next page from the URL, so no link can redirect a fresh sign-in elsewhere. */
const GOES_ON: Record<Exclude<StepUp, "studio">, string> = {
  export: `${paths.account({ saved: "confirmed-export" })}#data`,
  delete: `${paths.account({ saved: "confirmed-delete" })}#delete`,
  portal: paths.portal(),
  custodian: paths.studioSettings("custodian"),
  roles: paths.studioStaff(),
};
const REASONS: Record<StepUp, string> = {
  export: "Your data is everything this site knows about you.",
  delete: "Deleting the account deletes everything in it.",
  portal: "The payment page shows your card and your invoices.",
  studio: "The studio changes what everybody sees.",
  custodian: "The custodian of records is named on the page 2257.",
  roles: "Staff can change the site.",
};

export const meta: MetaFunction = () => pageMeta({ title: "Confirm that it is you", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  const member = await requireMember(request);
  const { searchParams } = new URL(request.url);
  const stepUp = toStepUp(searchParams.get("for"));
  if (stepUp === null) throw redirect(paths.account());
  const next = stepUp === "studio" ? studioPage(searchParams.get("next")) : undefined;
  if (hasFreshSignIn(member, stepUp)) throw redirect(goesOn(stepUp, next));

  return {
    stepUp,
    next,
    purpose: STEP_UPS[stepUp].purpose,
    lasts: formatLifetime(STEP_UPS[stepUp].seconds),
    reason: REASONS[stepUp],
    email: shownAddress(member.user.email),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const { user } = await requireMember(request);
  const form = await readForm(request);
  const stepUp = toStepUp(field(form, "for"));
  if (stepUp === null) {
    const error = "The form was not complete, so no code was sent. Please press the button again.";
    return data({ error, errorId: logRefusal(request, "step-up: no purpose") }, { status: 422 });
  }
  const { isFromReserve } = await limitSignInMail(request, user.email);

  const { browser, setCookie } = await identifyBrowser(request);
  const next = stepUp === "studio" ? studioPage(field(form, "next")) : undefined;
  const { purpose } = STEP_UPS[stepUp];
  const signIn = { ...browser, email: user.email, next: paths.confirm(stepUp, next), purpose };
  await requestLink(user.email, (made) => requestSignIn({ ...signIn, ...made, isFromReserve }));
  const headers = new Headers({ "Set-Cookie": setCookie });
  headers.append("Set-Cookie", await serializeSignInRequest());
  return redirect(paths.signInCode({ for: stepUp, next }), { status: 303, headers });
}

function studioPage(next: string | null): string {
  const path = safeRedirect(next, paths.studio());
  return path.startsWith(`${paths.studio()}/`) ? path : paths.studio();
}

function goesOn(stepUp: StepUp, next: string | undefined): string {
  return stepUp === "studio" ? (next ?? paths.studio()) : GOES_ON[stepUp];
}

function formatLifetime(seconds: number): string {
  if (seconds < 3600) return `${seconds / 60} minutes`;
  return seconds === 3600 ? "an hour" : `${seconds / 3600} hours`;
}

export default function ConfirmPage() {
  const { stepUp, next, purpose, lasts, reason, email } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <div className={styles.column}>
      <h1>Confirm that it is you</h1>
      <p>
        {reason} So before you {purpose}, we send a new code to{" "}
        <span className={styles.address}>{email}</span>.
      </p>
      <FormError id="confirm-problem">{refused?.error}</FormError>
      <ErrorIdLine id={refused?.errorId} />
      <Form method="post" action={paths.confirm(stepUp, next)}>
        <input type="hidden" name="for" value={stepUp} />
        {next !== undefined && <input type="hidden" name="next" value={next} />}
        <SubmitButton busyLabel="Sending …">Send me a code</SubmitButton>
      </Form>
      <p className={styles.hint}>
        After you sign in with the code, we will not ask again for {lasts}.{" "}
        <Link to={paths.account()}>Back to your account</Link>
      </p>
    </div>
  );
}
