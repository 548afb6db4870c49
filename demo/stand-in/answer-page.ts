import type { Call } from "./call.ts";
import { html } from "./html.ts";
import { matchPath } from "./match-path.ts";
import { type PageAnswer, type PageRoute, shows } from "./page.ts";
import { Problem } from "./problem.ts";

/** Returns null when there is no such page. */
export function answerPage<V>(
  routes: PageRoute<V>[],
  { method, path, body, headers }: Call,
  { ownOrigins, visit }: { ownOrigins: string[]; visit: (id: string, form: URLSearchParams) => V },
): PageAnswer | null {
  const found = matchPath(routes, method, path);
  if (!found) return null;
  // Any page in the browser could send a form here.
  if (method === "POST" && headers.origin !== undefined && !ownOrigins.includes(headers.origin)) {
    return shows("Refused", html`<h1>This form came from another site</h1>`, 403);
  }
  try {
    return found.route.run(visit(found.id, new URLSearchParams(body)));
  } catch (error) {
    if (error instanceof Problem) return shows(error.message, html`<h1>${error.message}</h1>`, error.status);
    throw error;
  }
}
