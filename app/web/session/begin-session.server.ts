import { safeRedirect } from "../request/safe-redirect.ts";
import { redirectWithCookies } from "./cookie-check.server.ts";
import { sessionCookie } from "./session-cookie.server.ts";
import { clearSignInRequest } from "./sign-in-request-cookie.server.ts";

export async function beginSession(
  request: Request,
  { token, next, setBrowserCookie }: { token: string; next: string; setBrowserCookie: string },
): Promise<Response> {
  const headers = new Headers();
  await appendSession(headers, { token, setBrowserCookie });
  return redirectWithCookies(request, safeRedirect(next), { use: "link", headers });
}

export async function appendSession(
  headers: Headers,
  { token, setBrowserCookie }: { token: string; setBrowserCookie: string },
): Promise<void> {
  headers.append("Set-Cookie", await sessionCookie.serialize(token));
  headers.append("Set-Cookie", setBrowserCookie);
  headers.append("Set-Cookie", await clearSignInRequest());
}
