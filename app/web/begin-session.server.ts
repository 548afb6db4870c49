import { redirect } from "@remix-run/node";
import { safeRedirect } from "./safe-redirect.ts";
import { sessionCookie } from "./session-cookie.server.ts";
import { clearBrowserMark } from "./sign-in-browser.server.ts";

/** Hands the cookie of a new session to the browser and goes where the visitor wanted to be. */
export async function beginSession(token: string, next: string): Promise<Response> {
  const headers = new Headers();
  headers.append("Set-Cookie", await sessionCookie.serialize(token));
  headers.append("Set-Cookie", await clearBrowserMark());
  return redirect(safeRedirect(next), { status: 303, headers });
}
