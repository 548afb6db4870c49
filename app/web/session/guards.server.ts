import { redirect } from "@remix-run/node";
import {
  ACCESS_MAX_AGE_MS,
  type AccessMedia,
  type AccessRefusal,
  accessTo,
  type Right,
} from "#app/domain/access/access.ts";
import { createDecisionCache } from "#app/domain/announcements/decision-cache.server.ts";
import { STEP_UPS, type StepUp } from "#app/domain/auth/step-up.ts";
import { webhookMethods } from "#app/domain/billing/providers/providers.server.ts";
import { findMediaRule } from "#app/domain/catalog/media/media.server.ts";
import { isOutage } from "#app/domain/health/outage.server.ts";
import { type Actor, hasRight, isStaffRole, type StaffRight } from "#app/domain/staff/rights.ts";
import { findSignedIn, type SignedIn, type Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { paths } from "#app/paths.ts";
import { type ChangesLimit, limitChanges, limitChangesWithoutPage } from "../request/limits.server.ts";
import { contextOf } from "../request/request-context.server.ts";
import {
  isFromAnotherSite,
  isSafe,
  requestedHost,
  requireKnownHost,
  requireSameOrigin,
} from "../request/same-origin.server.ts";
import { hasAgeProof } from "./age-cookie.server.ts";
import { readSessionTokenHash } from "./session-cookie.server.ts";

// A new guard joins GUARDS in tests/build/route-files.test.ts.

export type Member = Viewer & { user: NonNullable<Viewer["user"]>; session: NonNullable<Viewer["session"]> };

/** Lets everybody pass, even before the age gate, but refuses unknown hosts and forms of other sites. */
export async function anyone(
  request: Request,
  find: (request: Request) => Promise<Viewer> = findViewer,
): Promise<Viewer> {
  requireKnownHost(request);
  requireSameOrigin(request);
  return find(request);
}

/** Null when the database is unreachable. */
export async function anyoneOrUnknown(request: Request): Promise<Viewer | null> {
  try {
    return await anyone(request);
  } catch (error) {
    if (isOutage(error)) return null;
    throw error;
  }
}

/** The provider's servers send no Origin. Its adapter authenticates them. */
export function requireProviderCall(request: Request, provider: string): void {
  requireKnownHost(request);
  const methods = webhookMethods(provider);
  if (methods === null) throw new Response("Not Found", { status: 404 });
  if (!methods.includes(request.method)) throw new Response("Request Failed", { status: 405 });
}

export async function requireAdult(request: Request): Promise<Viewer> {
  const viewer = await anyone(request);
  if (!viewer.isAdult) throw redirect(paths.enter(herePath(request)));
  return viewer;
}

/** `limit` counts the member's changes. `hasPage: false`: no page could show the refusal. */
export async function requireMember(
  request: Request,
  { hasPage = true, limit = "writesByUser" as ChangesLimit } = {},
): Promise<Member> {
  const viewer = await requireAdult(request);
  if (!isMember(viewer)) throw redirect(signInPath(request));
  if (isSafe(request)) return viewer;
  await (hasPage
    ? limitChanges(viewer.user.id, limit)
    : limitChangesWithoutPage(request, viewer.user.id, limit));
  return viewer;
}

/** Throws a 403 without the right, and the same 404 for a hidden, taken down or unknown item. */
export async function assertAccess(member: Member, mediaId: string, right: Right): Promise<AccessMedia> {
  const rule = await findMediaRule(mediaId);
  if (rule === null || !accessTo(member, rule, "see").allowed) throw requestFailed(404);
  const decision = accessTo(member, rule, right);
  if (!decision.allowed) throw requestFailed(refusalStatus(decision.reason));
  return rule;
}

export function refusalStatus(reason: AccessRefusal): 403 | 404 | 410 {
  if (reason === "gone") return 410;
  return reason === "hidden" ? 404 : 403;
}

function requestFailed(status: number): Response {
  return Response.json({ error: "Request Failed" }, { status });
}

/**
 * Without the right it throws a 404, which does not tell members what is there. `confirmsInForm`: only for an action
 * that refuses an old sign-in in its page before it changes anything, as confirmInForm(), answerPart(),
 * answerFormGroup() and a bulk change do. `needsFresh: false`: only for what began with a recent sign-in.
 */
export async function requireStaff(
  request: Request,
  right?: StaffRight,
  { confirmsInForm = false, limit = "writesByUser" as ChangesLimit, needsFresh = true } = {},
): Promise<Member> {
  const member = await requireMember(request, { limit });
  const mayPass = right === undefined ? isStaffRole(member.user.role) : hasRight(member, right);
  if (!mayPass) throw new Response("Not Found", { status: 404 });
  const context = contextOf(request);
  if (confirmsInForm && context !== null) context.confirmsInForm = true;
  // The same request loads the page around the answered form.
  const mayBeOlder = !needsFresh || confirmsInForm || context?.confirmsInForm === true;
  if (!mayBeOlder) assertFreshSignIn(request, member, "studio", herePath(request));
  return member;
}

/**
 * A script that sends pieces cannot follow a redirect to a sign-in, so it gets a 401. A large upload outlasts a recent sign-in,
 * so only its start needs one: decision 161.
 */
export async function requireUploader(request: Request): Promise<Member> {
  if (isFromAnotherSite(request)) throw requestFailed(403);
  const needsFresh = !isSafe(request) && !request.headers.has("x-http-method-override");
  try {
    return await requireStaff(request, "media.edit", { limit: "piecesByUser", needsFresh });
  } catch (refusal) {
    const isRedirect = refusal instanceof Response && refusal.headers.has("Location");
    throw isRedirect ? requestFailed(401) : refusal;
  }
}

export function actorOf({ user }: Member): Actor {
  return { id: user.id, name: user.email, role: user.role };
}

/** For actions that a stolen or abandoned session must not allow. */
export function assertFreshSignIn(request: Request, member: Member, stepUp: StepUp, next?: string): void {
  if (hasFreshSignIn(member, stepUp)) return;
  throw redirect(paths.confirm(stepUp, next), { status: isSafe(request) ? 302 : 303 });
}

export function hasFreshSignIn({ session }: Member, stepUp: StepUp): boolean {
  return session.signedInSecondsAgo <= STEP_UPS[stepUp].seconds;
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

/** As the viewer was at most `maxAgeMs` ago. */
export function findRecentViewer(request: Request, maxAgeMs = ACCESS_MAX_AGE_MS): Promise<Viewer> {
  const find = (tokenHash: string) => recentSession(tokenHash, () => findSignedIn(tokenHash), maxAgeMs);
  return findViewerNow(request, find);
}

/** Never from a cache: for a response that checks access again while it is being sent. */
export async function findViewerNow(request: Request, find = findSignedIn): Promise<Viewer> {
  const [isAdult, tokenHash] = await Promise.all([hasAgeProof(request), readSessionTokenHash(request)]);
  const signedIn = tokenHash === null ? null : await find(tokenHash);
  if (!signedIn) return { isAdult, user: null, subscription: null, session: null };
  const { user, subscription, ...session } = signedIn;
  return { isAdult, user, subscription, session };
}

/** Elsewhere a form is one press, which is easily repeated. */
const PAGES_WITH_TYPED_FORMS = [`${paths.studio()}/`, paths.account()];

function signInPath(request: Request): string {
  const here = herePath(request);
  const hasLostForm = !isSafe(request) && PAGES_WITH_TYPED_FORMS.some((page) => here.startsWith(page));
  return hasLostForm ? paths.signInUnsaved(here) : paths.signIn(here);
}

function herePath(request: Request): string {
  const { pathname, search } = isSafe(request) ? new URL(request.url) : pageOfForm(request);
  // Remix requests a page's data at its path with .data, and the home page's at /_root.data.
  return pathname.replace(/\.data$/, "").replace(/^\/_root$/, "/") + search;
}

/** Within the site, our Referrer-Policy makes browsers send the page's address as Referer. The origin was checked before. */
function pageOfForm(request: Request): { pathname: string; search: string } {
  const referrer = request.headers.get("referer") ?? "";
  const home = { pathname: paths.home(), search: "" };
  if (!URL.canParse(referrer)) return home;
  const page = new URL(referrer);
  return page.host === requestedHost(request.headers) ? page : home;
}
