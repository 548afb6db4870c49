import { createHash } from "node:crypto";
import { frontCallOf } from "../server/front-requests.server.ts";
import { contentSecurityPolicy, type InlineSources } from "../server/response-headers.server.ts";
import { visitorClass } from "../server/visitor-class.server.ts";

/** A page in gzip, and the same without its nonce, for the policy that names `inline`. */
export interface SharedPage {
  body: Buffer<ArrayBuffer>;
  withoutNonce: () => Buffer<ArrayBuffer>;
  inline: InlineSources;
}

/** nginx sends a page that is up to a second too old only while the site makes the next one. */
const KEPT_FOR_A_SECOND = "max-age=1, stale-while-revalidate=1";
/** The pages are our own and written by React, which escapes an end tag inside a script. */
const INLINE = /<(script|style)\b(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/\1>/g;

export function inlineSources(html: string): InlineSources {
  const hashes = { script: new Set<string>(), style: new Set<string>() };
  for (const [, element, text = ""] of html.matchAll(INLINE)) {
    const hash = createHash("sha256").update(text).digest("base64");
    hashes[element as "script" | "style"].add(`'sha256-${hash}'`);
  }
  return { scripts: [...hashes.script].join(" "), styles: [...hashes.style].join(" ") };
}

/** Marks a page that nginx may give to all visitors of a class. Hashes take the place of its nonce, which they would all learn. */
export async function shareByFront(request: Request, headers: Headers, page: SharedPage): Promise<void> {
  if (frontCallOf(request) === null || headers.has("Set-Cookie")) return;
  // Each search is counted.
  if (new URL(request.url).searchParams.has("q")) return;
  if ((await visitorClass(request)) === null) return;
  // nginx reads this and sends the visitor another.
  headers.set("Cache-Control", KEPT_FOR_A_SECOND);
  headers.set("Content-Security-Policy", contentSecurityPolicy(page.inline));
  page.body = page.withoutNonce();
}
