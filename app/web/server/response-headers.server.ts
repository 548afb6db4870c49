import type { ServerResponse } from "node:http";
import { PAYMENT_PAGES } from "#app/domain/billing/providers/current-provider.server.ts";

const NOT_STORED = "private, no-store";
const HASHED_FILES = "/assets/";

/** The sources of a page's inline scripts and styles: its nonce, or their hashes. */
export interface InlineSources {
  scripts: string;
  styles: string;
}

export function nonceSource(nonce: string): InlineSources {
  const source = `'nonce-${nonce}'`;
  // The development server injects styles without a nonce.
  return { scripts: source, styles: import.meta.env.DEV ? "'unsafe-inline'" : source };
}

export function contentSecurityPolicy({ scripts, styles }: InlineSources): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${scripts}`.trimEnd(),
    `style-src-elem 'self' ${styles}`.trimEnd(),
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
