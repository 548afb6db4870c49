import { redirect } from "@remix-run/node";
import { isOutage } from "#app/domain/health/outage.ts";
import { paths } from "#app/paths.ts";
import { assertKnownHost } from "./known-host.server.ts";
import { assertSameOrigin } from "./same-origin.server.ts";
import { findViewer, type Viewer } from "./viewer.server.ts";

/** A viewer whose user row has loaded. */
export type Member = Viewer & { user: NonNullable<Viewer["user"]>; session: NonNullable<Viewer["session"]> };

/** For pages that everyone may read, age gate or not. */
export async function anyone(request: Request): Promise<Viewer> {
  assertKnownHost(request);
  assertSameOrigin(request);
  return findViewer(request);
}

/** As anyone(); null when nobody can say who it is, because the database is away. */
export async function anyoneOrUnknown(request: Request): Promise<Viewer | null> {
  try {
    return await anyone(request);
  } catch (error) {
    if (isOutage(error)) return null;
    throw error;
  }
}

/** For what a payment provider's servers send: no browser, so without an origin. Who it is, its signature says. */
export function providerCall(request: Request): void {
  assertKnownHost(request);
  if (request.method !== "POST") throw new Response("Request Failed", { status: 405 });
}

/** Sends those who have not passed the age gate to it, and back here afterwards. */
export async function requireAdult(request: Request): Promise<Viewer> {
  const viewer = await anyone(request);
  if (!viewer.isAdult) throw redirect(paths.enter(herePath(request)));
  return viewer;
}

/** Signed in, and past the age gate. */
export async function requireMember(request: Request): Promise<Member> {
  const viewer = await requireAdult(request);
  if (!isMember(viewer)) throw redirect(paths.signIn(herePath(request)));
  return viewer;
}

export function isMember(viewer: Viewer): viewer is Member {
  return viewer.user !== null && viewer.session !== null;
}

/** The page that asks; for an action, the page it belongs to is not known, so home. */
function herePath(request: Request): string {
  if (request.method !== "GET" && request.method !== "HEAD") return paths.home();
  const { pathname, search } = new URL(request.url);
  return pathname.replace(/\.data$/, "").replace(/^\/_root$/, "/") + search;
}
