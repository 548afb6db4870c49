import { redirect } from "@remix-run/node";
import { type CookieUse, paths } from "#app/paths.ts";
import { readBrowserHash } from "../request/browser-id.server.ts";
import { themeSession } from "./color-mode.server.ts";
import { readSessionTokenHash } from "./session-cookie.server.ts";

/** Whether this browser has sent a cookie of ours, so that it keeps those that it is given. */
export async function keepsCookies(request: Request): Promise<boolean> {
  return (
    (await readBrowserHash(request)) !== null ||
    (await readSessionTokenHash(request)) !== null ||
    (await themeSession(request)).getTheme() !== null
  );
}

/**
 * For an answer that sets the cookie that `target` needs. A browser that has not shown a cookie yet passes the page that
 * looks whether it came back, so that no other address carries a mark.
 */
export async function redirectWithCookies(
  request: Request,
  target: string,
  { use, headers, status = 303 }: { use: CookieUse; headers: HeadersInit; status?: 302 | 303 },
): Promise<Response> {
  const to = (await keepsCookies(request)) ? target : paths.cookies(use, target);
  return redirect(to, { status, headers });
}
