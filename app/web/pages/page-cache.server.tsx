// Needed because rendering a list takes 3 ms of a page that visitors otherwise get in 1 ms: decisions 055 and 146.
import { createHash, randomBytes } from "node:crypto";
import type { EntryContext } from "@remix-run/node";
import { LRUCache } from "lru-cache";
import { renderPage } from "./render-page.server.tsx";

export interface PageHandle {
  /** All signed-out visitors may get the same rendering of the same data. A function decides by the loader's data. */
  isSharedBySignedOut?: boolean | ((data: unknown) => boolean);
}

/** About a hundred pages. */
const MAX_BYTES = 10_000_000;
/** Stands for the nonce in a cached page. Random, so that no visitor can write it into one. */
const NONCE_MARK = randomBytes(24).toString("base64url");
/** Pages in the pieces between their nonces. Concurrent requests share one rendering. */
const pages = new LRUCache<string, string[], () => Promise<string[]>>({
  maxSize: MAX_BYTES,
  sizeCalculation: (pieces) => pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0),
  fetchMethod: (_key, _stale, { context: make }) => make(),
  // An evicted rendering is still sent.
  ignoreFetchAbort: true,
});

/** Loaders decide on access, and their data is part of the key. */
export async function sharedPage(
  request: Request,
  status: number,
  context: EntryContext,
  nonce: string,
): Promise<string | null> {
  // In development the components change while the data stays the same.
  if (import.meta.env.DEV || request.method !== "GET" || status !== 200 || !isShared(context)) return null;
  const { loaderData } = context.staticHandlerContext;
  const key = createHash("sha256")
    .update(JSON.stringify([request.url, loaderData]))
    .digest("base64");
  const make = async () => {
    const html = await renderPage({ url: request.url, context, nonce: NONCE_MARK });
    return html.split(NONCE_MARK);
  };
  return (await pages.forceFetch(key, { context: make })).join(nonce);
}

function isShared({ staticHandlerContext, routeModules }: EntryContext): boolean {
  const { loaderData, actionData, errors, matches } = staticHandlerContext;
  const root = loaderData.root as { isViewerKnown: boolean; viewer: object | null } | undefined;
  if (errors || actionData || !root?.isViewerKnown || root.viewer !== null) return false;
  const id = matches.at(-1)?.route.id ?? "";
  const { isSharedBySignedOut = false } = (routeModules[id]?.handle ?? {}) as PageHandle;
  return typeof isSharedBySignedOut === "function"
    ? isSharedBySignedOut(loaderData[id])
    : isSharedBySignedOut;
}
