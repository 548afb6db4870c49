import { requestSignIn, signInByCode } from "#app/domain/auth/sign-in.server.ts";
import { CODE_ERRORS, codeForm, NO_CODE } from "#app/domain/auth/sign-in-forms.ts";
import { STEP_UPS, type StepUp } from "#app/domain/auth/step-up.ts";
import { maskAddress } from "#app/domain/mail/address.ts";
import { shownAddress } from "#app/domain/mail/shown-address.server.ts";
import { limitSignInMail, limitVerify } from "../request/limits.server.ts";
import { appendSession } from "../session/begin-session.server.ts";
import { hasFreshSignIn, type Member } from "../session/guards.server.ts";
import { identifyBrowser } from "../session/identify-browser.server.ts";
import { readSessionTokenHash } from "../session/session-cookie.server.ts";
import { serializeSignInRequest } from "../session/sign-in-request-cookie.server.ts";
import { field } from "./form-body.server.ts";

export interface RequestedCode {
  maskedEmail: string;
  /** Why the last typed code was refused. */
  error: string | null;
}

/** `headers` belong to every answer. */
type Confirmation = { headers: Headers } & (
  | { isConfirmed: true }
  | { isConfirmed: false; code: RequestedCode }
);

export interface CodeStep {
  stepUp: StepUp;
  /** The form's page, where the link in the email leads. */
  next: string;
  sendLink: (email: string, send: (made: { nonce: string; link: string }) => Promise<void>) => Promise<void>;
}

/** The form is not stored: the caller answers with the same form, all its values and the field "code". */
export async function confirmInForm(
  request: Request,
  member: Member,
  form: FormData,
  { stepUp, next, sendLink }: CodeStep,
): Promise<Confirmation> {
  const headers = new Headers();
  if (hasFreshSignIn(member, stepUp)) return { isConfirmed: true, headers };
  const { email } = member.user;
  const maskedEmail = maskAddress(shownAddress(email));

  if (!form.has("code") || form.has("again")) {
    const { isFromReserve } = await limitSignInMail(request, email);
    const { browser, setCookie } = await identifyBrowser(request);
    const signIn = { ...browser, email, next, purpose: STEP_UPS[stepUp].purpose, isFromReserve };
    await sendLink(email, (made) => requestSignIn({ ...signIn, ...made }));
    headers.append("Set-Cookie", setCookie);
    headers.append("Set-Cookie", await serializeSignInRequest());
    return { isConfirmed: false, code: { maskedEmail, error: null }, headers };
  }

  const refuse = (error: string) => ({ isConfirmed: false, code: { maskedEmail, error }, headers }) as const;
  const typed = codeForm.safeParse({ code: field(form, "code") });
  if (!typed.success) return refuse(NO_CODE);
  await limitVerify(request);
  const { browser, setCookie } = await identifyBrowser(request);
  const tokenHash = await readSessionTokenHash(request);
  const result = await signInByCode(typed.data.code, browser, tokenHash, { onlyFor: email });
  if (!result.ok) return refuse(CODE_ERRORS[result.reason]);
  await appendSession(headers, { token: result.token, setBrowserCookie: setCookie });
  return { isConfirmed: true, headers };
}
