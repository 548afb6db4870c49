import { SIGN_IN_MINUTES } from "#app/domain/auth/sign-in-requests.server.ts";
import { signedCookie } from "../request/signed-cookie.server.ts";

/** Marks a browser that asked for a sign-in email and may enter its code. It says nothing about the person. */
const signInRequestCookie = signedCookie("signin", SIGN_IN_MINUTES * 60);

export async function hasRequestedMail(request: Request): Promise<boolean> {
  return (await signInRequestCookie.parse(request.headers.get("Cookie"))) === true;
}

export function serializeSignInRequest(): Promise<string> {
  return signInRequestCookie.serialize(true);
}

export function clearSignInRequest(): Promise<string> {
  return signInRequestCookie.serialize("", { maxAge: 0 });
}
