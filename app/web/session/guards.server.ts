import { redirect } from "@remix-run/node";
import { accessTo, type Refusal, type Right } from "#app/domain/access/access.ts";
import { createDecisionCache } from "#app/domain/announcements/decision-cache.server.ts";
import { FRESH_SIGN_IN_SECONDS, type StepUp } from "#app/domain/auth/step-up.ts";
import { findMediaRule } from "#app/domain/catalog/media/media.server.ts";
import { isOutage } from "#app/domain/health/database.server.ts";
import { findSignedIn, type SignedIn, type Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { paths } from "#app/paths.ts";
import { limitFormWrites, limitWrites } from "../request/limits.server.ts";
import { contextOf } from "../request/request-context.server.ts";
import { assertKnownHost, assertSameOrigin, isSafe, requestedHost } from "../request/same-origin.server.ts";
import { hasAgeProof } from "./age-cookie.server.ts";
import { readSessionTokenHash } from "./session-cookie.server.ts";

export type Member = Viewer & { user: NonNullable<Viewer["user"]>; session: NonNullable<Viewer["session"]> };

/** For pages that everyone may read, age gate or not. */
export async function anyone(request: Request, find = findViewer): Promise<Viewer> {
  assertKnownHost(request);
  assertSameOrigin(request);
  return find(request);
}

/** Like anyone(); null when the viewer is unknown because the database is unreachable. */
export async function anyoneOrUnknown(request: Request): Promise<Viewer | null> {
  try {
    return await anyone(request);
  } catch (error) {
    if (isOutage(error)) return null;
    throw error;
  }
}

/** For calls by the payment provider's servers, which send no Origin. Their signature authenticates them. */
export function providerCall(request: Request): void {
  assertKnownHost(request);
  if (request.method !== "POST") throw new Response("Request Failed", { status: 405 });
}

export async function requireAdult(request: Request): Promise<Viewer> {
  const viewer = await anyone(request);
  if (!viewer.isAdult) throw redirect(paths.enter(herePath(request)));
  return viewer;
}

/** Counts unsafe requests towards one limit of writes. `hasPage`: the route's page can show the refusal. */
export async function requireMember(request: Request, { hasPage = true } = {}): Promise<Member> {
  const viewer = await requireAdult(request);
  if (!isMember(viewer)) throw redirect(paths.signIn(herePath(request)));
  if (!isSafe(request))
    await (hasPage ? limitWrites(viewer.user.id) : limitFormWrites(request, viewer.user.id));
  return viewer;
}

/** Throws a 403 without the right, and the same 404 for media that is hidden, taken down or unknown. */
export async function assertAccess(member: Member, mediaId: string, right: Right): Promise<void> {
  const rule = await findMediaRule(mediaId);
  if (rule === null || !accessTo(member, rule, "see").allowed) throw requestFailed(404);
  const decision = accessTo(member, rule, right);
  if (!decision.allowed) throw requestFailed(accessStatus(decision.reason));
}

export function accessStatus(reason: Refusal): 403 | 404 | 410 {
  if (reason === "gone") return 410;
  return reason === "hidden" ? 404 : 403;
}

function requestFailed(status: number): Response {
  return Response.json({ error: "Request Failed" }, { status });
}

/** For actions that a stolen or abandoned session must not allow: redirects to a new sign-in, then back. */
export function assertFreshSignIn(request: Request, member: Member, stepUp: StepUp): void {
  if (!isFresh(member)) throw redirect(paths.confirm(stepUp), { status: isSafe(request) ? 302 : 303 });
}

export function isFresh({ session }: Member): boolean {
  return session.signedInSecondsAgo <= FRESH_SIGN_IN_SECONDS;
}

export function isMember(viewer: Viewer): viewer is Member {
  return viewer.user !== null && viewer.session !== null;
}

/** Read once for all loaders of a request. */
export function findViewer(request: Request): Promise<Viewer> {
  const context = contextOf(request);
  if (context === null) return findViewerNow(request);
  context.viewer ??= findViewerNow(request);
  return context.viewer;
}

const recentSession = createDecisionCache<SignedIn>(({ user }) => [`user ${user.id}`]);

/** As recent as decisions have to be. For small media files. */
export function findRecentViewer(request: Request): Promise<Viewer> {
  return findViewerNow(request, (tokenHash) => recentSession(tokenHash, () => findSignedIn(tokenHash)));
}

/** The viewer at this moment, for work that outlives the start of its request. */
export async function findViewerNow(request: Request, find = findSignedIn): Promise<Viewer> {
  const [isAdult, tokenHash] = await Promise.all([hasAgeProof(request), readSessionTokenHash(request)]);
  const signedIn = tokenHash === null ? null : await find(tokenHash);
  if (!signedIn) return { isAdult, user: null, subscription: null, session: null };
  const { user, subscription, ...session } = signedIn;
  return { isAdult, user, subscription, session };
}

/** The page that was asked for, or the one whose form was sent. */
function herePath(request: Request): string {
  const { pathname, search } = isSafe(request) ? new URL(request.url) : formsPage(request);
  return pathname.replace(/\.data$/, "").replace(/^\/_root$/, "/") + search;
}

/** Browsers name it within the site: see the Referrer-Policy. The origin was checked before. */
function formsPage(request: Request): { pathname: string; search: string } {
  const referrer = request.headers.get("referer") ?? "";
  const home = { pathname: paths.home(), search: "" };
  if (!URL.canParse(referrer)) return home;
  const page = new URL(referrer);
  return page.host === requestedHost(request.headers) ? page : home;
}
