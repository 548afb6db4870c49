import { config } from "#app/config.server.ts";
import { PAYMENT_PAGES } from "#app/domain/billing/payment-pages.server.ts";
import { RTA_LABEL } from "./rta-label.ts";

/** On every response, whoever makes it. Remix appends headers, so none of these may be set a second time. */
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

/** The development server puts styles into the page that know no nonce. */
const styles = (nonce: string) => (import.meta.env.DEV ? "'unsafe-inline'" : `'nonce-${nonce}'`);

/** The policy of one HTML page. */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src-elem 'self' ${styles(nonce)}`,
    // Mantine and our own pages hand sizes and colours to CSS as variables in style attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "media-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    // Browsers hold a form to it wherever its answer redirects.
    ["form-action 'self'", ...PAYMENT_PAGES].join(" "),
  ].join("; ");
}
