import { redirect } from "@remix-run/node";
import { type CookieUse, paths } from "#app/paths.ts";
import { readBrowserHash } from "../request/browser-id.server.ts";
import { themeSession } from "./color-mode.server.ts";
import { readSessionTokenHash } from "./session-cookie.server.ts";

export async function keepsCookies(request: Request): Promise<boolean> {
  return (
    (await readBrowserHash(request)) !== null ||
    (await readSessionTokenHash(request)) !== null ||
    (await themeSession(request)).getTheme() !== null
  );
}

/** A browser that has sent no cookie yet is redirected to /no-cookies first, which checks that cookies come back. */
export async function redirectWithCookies(
  request: Request,
  target: string,
  { use, headers, status = 303 }: { use: CookieUse; headers: HeadersInit; status?: 302 | 303 },
): Promise<Response> {
  const to = (await keepsCookies(request)) ? target : paths.noCookies(use, target);
  return redirect(to, { status, headers });
}
