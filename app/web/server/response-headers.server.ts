import type { ServerResponse } from "node:http";
import { config } from "#app/config.server.ts";
import { PAYMENT_PAGES } from "#app/domain/billing/providers/provider-pages.server.ts";
import { RTA_LABEL } from "../request/rta-label.ts";

const NOT_STORED = "private, no-store";
const HASHED_FILES = "/assets/";

/** Set on every response. Remix appends headers, so none of these may be set a second time. */
export const CONSTANT_HEADERS: ReadonlyArray<readonly [string, string]> = [
  ["X-Content-Type-Options", "nosniff"],
  ["Rating", RTA_LABEL],
  // Not no-referrer: browsers would then post forms with "Origin: null".
  ["Referrer-Policy", "same-origin"],
  ["X-Frame-Options", "DENY"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Permissions-Policy", "camera=(), microphone=(), geolocation=(), browsing-topics=()"],
  ...(config.web.isSecure
    ? [["Strict-Transport-Security", "max-age=31536000; includeSubDomains"] as const]
    : []),
];

/** The development server injects styles without a nonce. */
const styles = (nonce: string) => (import.meta.env.DEV ? "'unsafe-inline'" : `'nonce-${nonce}'`);

export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src-elem 'self' ${styles(nonce)}`,
    // Mantine and our own pages pass sizes and colours as CSS variables in style attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "media-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    // Browsers also apply it to the redirect after a form is sent.
    ["form-action 'self'", ...PAYMENT_PAGES].join(" "),
  ].join("; ");
}

/** no-store unless the route said otherwise. remix-serve would mark all of build/client immutable for a year. */
export function settleCacheControl(path: string, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = ((...args: unknown[]) => {
    const chosen = response.getHeader("Cache-Control");
    if (chosen === undefined) response.setHeader("Cache-Control", NOT_STORED);
    else if (String(chosen).includes("immutable") && !path.startsWith(HASHED_FILES)) {
      response.setHeader("Cache-Control", "public, max-age=3600");
    }
    return writeHead(...args);
  }) as typeof response.writeHead;
}
