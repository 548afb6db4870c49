import { redirect } from "@remix-run/node";
import { isLocalHost } from "#app/config/addresses.ts";
import { config } from "#app/config.server.ts";
import { STEP_UPS, type StepUp } from "#app/domain/auth/step-up.ts";
import { isOutage } from "#app/domain/health/database.server.ts";
import type { Actor } from "#app/domain/staff/actor.ts";
import { hasRight, isStaffRole, type StaffRight } from "#app/domain/staff/rights.ts";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { paths } from "#app/paths.ts";
import { limitFormWrites, limitWrites } from "../request/limits.server.ts";
import { assertSameOrigin, isSafe } from "../request/same-origin.server.ts";
import { findViewer } from "./viewer.server.ts";

/** Health probes may use any hostname. */
const PROBES = new Set(["/healthz", "/readyz"]);
const OWN = new URL(config.origin);
/** A form of the studio that was opened in time can be sent for another hour, so that nothing typed is lost. */
const FORM_SECONDS = 3_600;

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

/**
 * For pages of the studio. The answer is 404 without the right, so that members do not learn what is there, and a new
 * sign-in after twelve hours. Without `right` it lets everybody with a role pass.
 */
export async function requireStaff(request: Request, right?: StaffRight): Promise<Member> {
  const member = await requireMember(request);
  const mayPass = right === undefined ? isStaffRole(member.user.role) : hasRight(member, right);
  if (!mayPass) throw new Response("Not Found", { status: 404 });
  const isFormInTime =
    !isSafe(request) && member.session.signedInSecondsAgo <= STEP_UPS.studio.seconds + FORM_SECONDS;
  if (!isFormInTime) assertFreshSignIn(request, member, "studio", herePath(request));
  return member;
}

export function actorOf({ user }: Member): Actor {
  return { id: user.id, name: user.email, role: user.role };
}

/** For actions that a stolen or abandoned session must not allow: redirects to a new sign-in, then back. */
export function assertFreshSignIn(request: Request, member: Member, stepUp: StepUp, next?: string): void {
  if (isFresh(member, stepUp)) return;
  throw redirect(paths.confirm(stepUp, next), { status: isSafe(request) ? 302 : 303 });
}

export function isFresh({ session }: Member, stepUp: StepUp): boolean {
  return session.signedInSecondsAgo <= STEP_UPS[stepUp].seconds;
}

export function isMember(viewer: Viewer): viewer is Member {
  return viewer.user !== null && viewer.session !== null;
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

/** Throws a 421 when a hosted site is requested by another name, or a demo by a name that is not this machine's. */
function assertKnownHost(request: Request): void {
  if (PROBES.has(new URL(request.url).pathname)) return;
  const host = requestedHost(request.headers);
  if (config.isDemo ? isLocalHost(host) : isOwnHost(host)) return;
  throw new Response("Request Failed", { status: 421 });
}

/** Compares through URL, so that case and the default port do not matter. */
function isOwnHost(host: string): boolean {
  const requested = `${OWN.protocol}//${host}`;
  return URL.canParse(requested) && new URL(requested).origin === OWN.origin;
}

/** Proxies that rewrite Host send the original one here; the server hook removes it when no proxy is trusted. */
function requestedHost(headers: Headers): string {
  const forwarded = headers.get("x-forwarded-host")?.split(",") ?? [];
  const { trustedProxies } = config.web;
  return (
    forwarded.at(typeof trustedProxies === "number" ? -trustedProxies : -1) ??
    headers.get("host") ??
    ""
  ).trim();
}
