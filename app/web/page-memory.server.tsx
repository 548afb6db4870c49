import { createHash, randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { EntryContext } from "@remix-run/node";
import { RemixServer } from "@remix-run/react";
import { renderToPipeableStream } from "react-dom/server";
import { compressPieces, type GzipPieces, gzipWith } from "./gzip-pieces.ts";
import { NonceContext } from "./nonce.tsx";

/** What a route's `handle` may say. */
export interface PageHandle {
  /** All who are signed out may be shown the same rendering of the same data. */
  isSharedBySignedOut?: boolean;
}

/** About 10 MB. */
const REMEMBERED_PAGES = 100;
/** Stands for the nonce in what is remembered; nobody outside this process can write it into a page. */
const NONCE_PLACE = randomBytes(24).toString("base64url");
const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;
/** Compressed already: that is most of the work that is left. */
const pages = new Map<string, Promise<GzipPieces>>();

/**
 * The page with this nonce, as gzip, when it is one that visitors share, rendered once for the same data; null for any
 * other page, or for who does not take gzip. Who may see what was decided by the loaders, whose data is part of what is compared.
 */
export async function sharedPage(
  request: Request,
  status: number,
  context: EntryContext,
  nonce: string,
): Promise<Buffer<ArrayBuffer> | null> {
  // In development the components change under the data.
  if (import.meta.env.DEV || request.method !== "GET" || status !== 200 || !isShared(context)) return null;
  if (!TAKES_GZIP.test(request.headers.get("accept-encoding") ?? "")) return null;
  const { loaderData } = context.staticHandlerContext;
  const key = createHash("sha256")
    .update(JSON.stringify([request.url, loaderData]))
    .digest("base64");
  let page = pages.get(key);
  if (page) {
    // The one that was asked for last goes last.
    pages.delete(key);
  } else {
    page = render(request, context).then((html) => compressPieces(html.split(NONCE_PLACE)));
    const rendering = page;
    page.catch(() => pages.get(key) === rendering && pages.delete(key));
    if (pages.size >= REMEMBERED_PAGES) pages.delete(pages.keys().next().value ?? "");
  }
  pages.set(key, page);
  return gzipWith(await page, nonce);
}

function isShared({ staticHandlerContext, routeModules }: EntryContext): boolean {
  const { loaderData, actionData, errors, matches } = staticHandlerContext;
  const root = loaderData.root as { isViewerKnown: boolean; viewer: object | null } | undefined;
  if (errors || actionData || !root?.isViewerKnown || root.viewer !== null) return false;
  const handle = routeModules[matches.at(-1)?.route.id ?? ""]?.handle as PageHandle | undefined;
  return handle?.isSharedBySignedOut === true;
}

/** Rejects when any part of the page fails. */
function render(request: Request, context: EntryContext): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(
      <NonceContext.Provider value={NONCE_PLACE}>
        <RemixServer context={context} url={request.url} nonce={NONCE_PLACE} />
      </NonceContext.Provider>,
      {
        nonce: NONCE_PLACE,
        onAllReady: () => text(pipe(new PassThrough())).then(resolve, reject),
        onShellError: reject,
        onError: reject,
      },
    );
  });
}
