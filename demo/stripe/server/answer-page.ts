import { matchPath } from "../http/route.ts";
import { checkoutPages } from "../pages/checkout-page.ts";
import { controlPages } from "../pages/control-page.ts";
import { html } from "../pages/html.ts";
import { invoicePages } from "../pages/invoice-page.ts";
import { type PageAnswer, type PageRoute, shows } from "../pages/page-route.ts";
import { portalPages } from "../pages/portal-page.ts";
import type { Account } from "../state/account.ts";
import { Fault } from "../state/fault.ts";
import type { Control } from "../subscriptions/control.ts";

const PAGES: PageRoute[] = [...controlPages, ...checkoutPages, ...portalPages, ...invoicePages];

/** Returns null when there is no such page. */
export function answerPage(
  account: Account,
  control: Control,
  { method, path, body, origin }: { method: string; path: string; body: string; origin: string | undefined },
): PageAnswer | null {
  const found = matchPath(PAGES, method, path);
  if (!found) return null;
  // Any page in the browser could send a form here.
  if (method === "POST" && origin !== undefined && !account.ownOrigins.includes(origin)) {
    return shows("Refused", html`<h1>This form came from another site</h1>`, 403);
  }
  try {
    const form = new URLSearchParams(body);
    return found.route.run({ account, control, id: found.id, form });
  } catch (error) {
    if (error instanceof Fault) return shows("Not found", html`<h1>${error.message}</h1>`, error.status);
    throw error;
  }
}
