import { createDecisionCache } from "#app/domain/announcements/decision-cache.server.ts";
import { findSignedIn, type SignedIn, type Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { contextOf } from "../request/request-context.server.ts";
import { hasAgeProof } from "./age-cookie.server.ts";
import { readSessionTokenHash } from "./session-cookie.server.ts";

/** Read once for all loaders of a request. */
export function findViewer(request: Request): Promise<Viewer> {
  const context = contextOf(request);
  if (context === null) return loadViewer(request);
  context.viewer ??= loadViewer(request);
  return context.viewer;
}

/** The viewer at this moment, for work that outlives the start of its request. */
export function findViewerNow(request: Request): Promise<Viewer> {
  return loadViewer(request);
}

const recentSession = createDecisionCache<SignedIn>(({ user }) => [`user ${user.id}`]);

/** As recent as decisions have to be. For small media files. */
export function findRecentViewer(request: Request): Promise<Viewer> {
  return loadViewer(request, (tokenHash) => recentSession(tokenHash, () => findSignedIn(tokenHash)));
}

async function loadViewer(request: Request, find = findSignedIn): Promise<Viewer> {
  const [isAdult, tokenHash] = await Promise.all([hasAgeProof(request), readSessionTokenHash(request)]);
  const signedIn = tokenHash === null ? null : await find(tokenHash);
  if (!signedIn) return { isAdult, user: null, subscription: null, session: null };
  const { sessionId, expiresIn, renewedSecondsAgo, signedInSecondsAgo, now } = signedIn;
  return {
    isAdult,
    user: signedIn.user,
    subscription: signedIn.subscription,
    session: { sessionId, expiresIn, renewedSecondsAgo, signedInSecondsAgo, now },
  };
}
