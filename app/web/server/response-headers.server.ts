import type { ServerResponse } from "node:http";
import { PAYMENT_PAGES } from "#app/domain/billing/providers/providers.server.ts";

const NOT_STORED = "private, no-store";
const HASHED_FILES = ["/assets/", "/site/"];

export function contentSecurityPolicy(nonce: string): string {
  const own = `'nonce-${nonce}'`;
  return [
    "default-src 'self'",
    `script-src 'self' ${own}`,
    // The development server injects styles without a nonce.
    `style-src-elem 'self' ${import.meta.env.DEV ? "'unsafe-inline'" : own}`,
    // Mantine and our own pages pass sizes and colors as CSS variables in style attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    // Media Source is a blob: decision 168.
    "media-src 'self' blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    // Browsers also apply it to the redirect after a form is sent.
    ["form-action 'self'", ...PAYMENT_PAGES].join(" "),
  ].join("; ");
}

/** remix-serve would mark all of build/client immutable for a year. */
export function defaultCacheControl(path: string, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = ((...args: unknown[]) => {
    const chosen = response.getHeader("Cache-Control");
    // nginx adds the one of a file from an object store, and keeps the site's for the page of an error.
    if (chosen === undefined && !response.hasHeader("X-Stored-Cache"))
      response.setHeader("Cache-Control", NOT_STORED);
    else if (
      String(chosen).includes("immutable") &&
      !HASHED_FILES.some((folder) => path.startsWith(folder))
    ) {
      response.setHeader("Cache-Control", "public, max-age=3600");
    }
    return writeHead(...args);
  }) as typeof response.writeHead;
}
