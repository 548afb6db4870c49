import { signedCookie } from "../request/signed-cookie.server.ts";

/** The mailed code is valid for as long. */
const LIFETIME_SECONDS = 600;

/** Marks a browser that has a page for its code; it proves nothing. */
const signInRequestCookie = signedCookie("signin", LIFETIME_SECONDS);

export async function hasRequestedMail(request: Request): Promise<boolean> {
  return (await signInRequestCookie.parse(request.headers.get("Cookie"))) === true;
}

export function serializeSignInRequest(): Promise<string> {
  return signInRequestCookie.serialize(true);
}

export function clearSignInRequest(): Promise<string> {
  return signInRequestCookie.serialize("", { maxAge: 0 });
}
