import type { PageHandle } from "./page-cache.server.tsx";

/** The page of a mailed link shows what is somebody's own. The loader returns the `link`. */
export const SHARED_WITHOUT_LINK: PageHandle = {
  isSharedBySignedOut: (data) => (data as { link?: { signature?: string } }).link?.signature === "",
};

/** Id and signature of the subscription in a mailed link; both empty without one. */
export function subscriptionLink(request: Request): { subscription: string; signature: string } {
  const { searchParams } = new URL(request.url);
  return { subscription: searchParams.get("subscription") ?? "", signature: linkSignature(searchParams) };
}

/** The signature in the query of a mailed link; empty without one. */
export function linkSignature(searchParams: URLSearchParams): string {
  return searchParams.get("signature") ?? "";
}
