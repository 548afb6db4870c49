import type { AccessViewer } from "#app/domain/billing/access.ts";
import { findSignedIn, type SignedIn } from "#app/domain/billing/viewer.server.ts";
import { hasAgeProof } from "./age-cookie.server.ts";
import { readSessionTokenHash } from "./session-cookie.server.ts";

export interface Viewer extends AccessViewer {
  user: SignedIn["user"] | null;
  subscription: SignedIn["subscription"];
  session: Pick<SignedIn, "sessionId" | "expiresIn" | "renewedSecondsAgo"> | null;
}

const REMEMBERED = 256;
/** Loaders of one page each get their own Request; the id that the server hook gives them is what they share. */
const viewers = new Map<string, Promise<Viewer>>();

/** Who asks: read once per HTTP request, however many loaders run. */
export function findViewer(request: Request): Promise<Viewer> {
  const requestId = request.headers.get("x-request-id");
  if (requestId === null) return loadViewer(request);
  const known = viewers.get(requestId);
  if (known) return known;

  const viewer = loadViewer(request);
  viewers.set(requestId, viewer);
  if (viewers.size > REMEMBERED) viewers.delete(viewers.keys().next().value ?? "");
  return viewer;
}

/** Who asks at this moment: for work that outlives the start of its request. */
export function findViewerNow(request: Request): Promise<Viewer> {
  return loadViewer(request);
}

async function loadViewer(request: Request): Promise<Viewer> {
  const [isAdult, tokenHash] = await Promise.all([hasAgeProof(request), readSessionTokenHash(request)]);
  const signedIn = tokenHash === null ? null : await findSignedIn(tokenHash);
  if (!signedIn) return { isAdult, user: null, subscription: null, session: null };
  const { sessionId, expiresIn, renewedSecondsAgo } = signedIn;
  return {
    isAdult,
    user: signedIn.user,
    subscription: signedIn.subscription,
    session: { sessionId, expiresIn, renewedSecondsAgo },
  };
}
