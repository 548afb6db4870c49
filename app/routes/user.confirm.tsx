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
import { shownAddress } from "#app/domain/mail/parse-address.server.ts";
import { paths } from "#app/paths.ts";
import styles from "#app/ui/forms/form.module.css";
import { ErrorIdLine, Problem } from "#app/ui/forms/problem.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { field, readForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { limitSignInMail } from "#app/web/request/limits.server.ts";
import { identifyBrowser } from "#app/web/session/browser.server.ts";
import { isFresh, requireMember } from "#app/web/session/guards.server.ts";
import { serializeSignInRequest } from "#app/web/session/sign-in-request-cookie.server.ts";

/** The page after each step-up. It is never read from the URL, so no link can redirect a fresh sign-in. */
const GOES_ON: Record<StepUp, string> = {
  export: `${paths.account({ saved: "confirmed-export" })}#data`,
  delete: `${paths.account({ saved: "confirmed-delete" })}#delete`,
  portal: paths.portal(),
};
const REASONS: Record<StepUp, string> = {
  export: "Your data are everything that this site knows about you.",
  delete: "Deleting the account deletes everything in it.",
  portal: "Your payments show your card and your invoices.",
};

export const meta: MetaFunction = () => pageMeta({ title: "Confirm that it is you", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  const member = await requireMember(request);
  const stepUp = toStepUp(new URL(request.url).searchParams.get("for"));
  if (stepUp === null) throw redirect(paths.account());
  if (isFresh(member)) throw redirect(GOES_ON[stepUp]);

  return {
    stepUp,
    purpose: STEP_UPS[stepUp],
    reason: REASONS[stepUp],
    email: shownAddress(member.user.email),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const { user } = await requireMember(request);
  const stepUp = toStepUp(field(await readForm(request), "for"));
  if (stepUp === null) {
    const problem = "The form was not complete, so no code was sent. Please press the button again.";
    return data({ problem, errorId: logRefusal(request, "step-up: no purpose") }, { status: 422 });
  }
  const { isFromReserve } = await limitSignInMail(request, user.email);

  const { browser, setCookie } = await identifyBrowser(request);
  const signIn = { ...browser, email: user.email, next: paths.confirm(stepUp), purpose: STEP_UPS[stepUp] };
  await requestLink(user.email, (made) => requestSignIn({ ...signIn, ...made, isFromReserve }));
  const headers = new Headers({ "Set-Cookie": setCookie });
  headers.append("Set-Cookie", await serializeSignInRequest());
  return redirect(paths.signInCode({ for: stepUp }), { status: 303, headers });
}

export default function ConfirmPage() {
  const { stepUp, purpose, reason, email } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <div className={styles.column}>
      <h1>Confirm that it is you</h1>
      <p>
        {reason} So before you {purpose}, we send a new code to{" "}
        <span className={styles.address}>{email}</span>.
      </p>
      <Problem id="confirm-problem">{refused?.problem}</Problem>
      <ErrorIdLine id={refused?.errorId} />
      <Form method="post" action={paths.confirm(stepUp)}>
        <input type="hidden" name="for" value={stepUp} />
        <SubmitButton busyLabel="Sending …">Send me a code</SubmitButton>
      </Form>
      <p className={styles.hint}>
        After you sign in with it, you have ten minutes.{" "}
        <Link to={paths.account()}>Back to your account</Link>
      </p>
    </div>
  );
}
