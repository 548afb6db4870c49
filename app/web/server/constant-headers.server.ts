import { config } from "#app/config.server.ts";
import { RTA_LABEL } from "../pages/page-meta.ts";

/** Remix appends headers, so none of these may be set a second time. */
export const CONSTANT_HEADERS: ReadonlyArray<readonly [string, string]> = [
  ["X-Content-Type-Options", "nosniff"],
  ["Rating", RTA_LABEL],
  // Not no-referrer: browsers would then post forms with "Origin: null".
  ["Referrer-Policy", "same-origin"],
  ["X-Frame-Options", "DENY"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Permissions-Policy", "camera=(), microphone=(), geolocation=(), browsing-topics=()"],
  ...(config.web.isSecure ? [["Strict-Transport-Security", hsts()] as const] : []),
];

/** With subdomains, browsers refuse the host's other sites over http for a year, and nothing can undo that. */
function hsts(): string {
  return `max-age=31536000${config.web.hasSecureSubdomains ? "; includeSubDomains" : ""}`;
}
