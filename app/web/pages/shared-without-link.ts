import type { PageHandle } from "./page-cache.server.tsx";

/** The page of a mailed link shows what is somebody's own. The loader returns the `link`. */
export const SHARED_WITHOUT_LINK: PageHandle = {
  isSharedBySignedOut: (data) => (data as { link?: { signature?: string } }).link?.signature === "",
};
