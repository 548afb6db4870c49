import type { PageHandle } from "./page-cache.server.tsx";

/** With a link, the page shows what is somebody's own. */
export const SHARED_WITHOUT_LINK: PageHandle = {
  isSharedBySignedOut: (data) => (data as { link?: { signature?: string } }).link?.signature === "",
};

export const BAD_LINK = "The link is incomplete, or its subscription no longer exists. Nothing was changed.";

export function subscriptionLink(request: Request): { subscription: string; signature: string } {
  const { searchParams } = new URL(request.url);
  return { subscription: searchParams.get("subscription") ?? "", signature: linkSignature(searchParams) };
}

export function linkSignature(searchParams: URLSearchParams): string {
  return secretIn(searchParams.get("signature") ?? "");
}

/** Without what was written behind the link: a full stop, a bracket. */
export function secretIn(text: string): string {
  return /^[\w-]{43}/.exec(text)?.[0] ?? text;
}
