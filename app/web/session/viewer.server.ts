import type { AccessViewer } from "#app/domain/access/access.ts";
import { findSignedIn, type SignedIn } from "#app/domain/viewer/find-viewer.server.ts";
import { hasAgeProof } from "./age-cookie.server.ts";
import { readSessionTokenHash } from "./session-cookie.server.ts";

export interface Viewer extends AccessViewer {
  user: SignedIn["user"] | null;
  subscription: SignedIn["subscription"];
  session: Pick<
    SignedIn,
    "sessionId" | "expiresIn" | "renewedSecondsAgo" | "signedInSecondsAgo" | "now"
  > | null;
}

const MAX_ENTRIES = 256;
/** Keyed by the server hook's request id, because each loader of a page gets its own Request. */
const viewers = new Map<string, Promise<Viewer>>();

export function findViewer(request: Request): Promise<Viewer> {
  const requestId = request.headers.get("x-request-id");
  if (requestId === null) return loadViewer(request);
  const known = viewers.get(requestId);
  if (known) return known;

  const viewer = loadViewer(request);
  viewers.set(requestId, viewer);
  if (viewers.size > MAX_ENTRIES) viewers.delete(viewers.keys().next().value ?? "");
  return viewer;
}

/** The viewer at this moment, for work that outlives the start of its request. */
export function findViewerNow(request: Request): Promise<Viewer> {
  return loadViewer(request);
}

async function loadViewer(request: Request): Promise<Viewer> {
  const [isAdult, tokenHash] = await Promise.all([hasAgeProof(request), readSessionTokenHash(request)]);
  const signedIn = tokenHash === null ? null : await findSignedIn(tokenHash);
  if (!signedIn) return { isAdult, user: null, subscription: null, session: null };
  const { sessionId, expiresIn, renewedSecondsAgo, signedInSecondsAgo, now } = signedIn;
  return {
    isAdult,
    user: signedIn.user,
    subscription: signedIn.subscription,
    session: { sessionId, expiresIn, renewedSecondsAgo, signedInSecondsAgo, now },
  };
}
