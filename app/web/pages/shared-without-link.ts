import type { PageHandle } from "./page-cache.server.tsx";

/** For pages whose loader returns its `link`: one that was mailed shows a subscription. */
export const SHARED_WITHOUT_LINK: PageHandle = {
  isSharedBySignedOut: (data) => (data as { link: { signature: string } }).link.signature === "",
};
