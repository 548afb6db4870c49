import type { IncomingMessage, ServerResponse } from "node:http";
import { Theme } from "remix-themes/build/theme-provider.js";
import { cookieName } from "../request/cookie-name.server.ts";
import { hasAgeProof } from "../session/age-cookie.server.ts";
import { themeSession } from "../session/color-mode.server.ts";

/** nginx repeats an answer for this long. */
const KEPT_SECONDS = 5;
/** All cookies that may come with a request for a shared page: no other one can then change it. */
const READ_BY_SHARED_PAGES = new Set(["adult", "browser", "theme"].map(cookieName));

/** Visitors of one class see the same shared pages. Null for everyone whom a page may address in person. */
export async function visitorClass(request: Request): Promise<string | null> {
  const names = (request.headers.get("Cookie") ?? "").split(";").map((pair) => pair.split("=", 1)[0]?.trim());
  if (!names.every((name) => READ_BY_SHARED_PAGES.has(name ?? ""))) return null;
  if (!(await hasAgeProof(request))) return null;
  return (await themeSession(request)).getTheme() ?? Theme.LIGHT;
}

/** Answers nginx's question about the cookies of a visitor, without Remix. False for any other request. */
export function answerVisitorClass({ headers }: IncomingMessage, response: ServerResponse): boolean {
  if (headers["x-front-call"] !== "visitor") return false;
  const request = new Request("http://site.invalid/", { headers: { Cookie: headers.cookie ?? "" } });
  visitorClass(request).then(
    (visitor) => {
      response.setHeader("X-Front-Visitor", visitor ?? "");
      response.setHeader("X-Accel-Expires", KEPT_SECONDS);
      response.writeHead(204).end();
    },
    () => response.writeHead(500).end(),
  );
  return true;
}
