import { redirect } from "@remix-run/node";
import { type CookieUse, paths } from "#app/paths.ts";
import { readBrowserHash } from "../request/browser-id.server.ts";
import { themeSession } from "./color-mode.server.ts";
import { readSessionTokenHash } from "./session-cookie.server.ts";

/** Whether this browser has sent a cookie of ours, which proves that it keeps them. */
export async function keepsCookies(request: Request): Promise<boolean> {
  return (
    (await readBrowserHash(request)) !== null ||
    (await readSessionTokenHash(request)) !== null ||
    (await themeSession(request)).getTheme() !== null
  );
}

/**
 * Redirects to `target` with the cookies that it needs. A browser that has sent none yet goes by way of the cookies page,
 * which looks whether they come back; so no other address has to say that a look is due.
 */
export async function redirectWithCookies(
  request: Request,
  target: string,
  { use, headers, status = 303 }: { use: CookieUse; headers: HeadersInit; status?: 302 | 303 },
): Promise<Response> {
  const to = (await keepsCookies(request)) ? target : paths.noCookies(use, target);
  return redirect(to, { status, headers });
}
