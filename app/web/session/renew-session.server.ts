import { RENEW_AFTER_SECONDS, renewSession } from "#app/domain/auth/sessions.server.ts";
import { recordVisits } from "#app/domain/auth/users.server.ts";
import { log } from "#app/log.server.ts";
import { isCrossOriginChange } from "../request/same-origin.server.ts";
import { cookieName } from "../request/signed-cookie.server.ts";
import { findViewer } from "./guards.server.ts";
import { sessionCookie } from "./session-cookie.server.ts";

const RECORD_VISIT_EVERY_MS = 60_000;
/** One statement records all visits of this time. */
const COLLECT_MS = 5_000;
const MAX_ENTRIES = 10_000;
const recordedAt = new Map<string, number>();
const visitors = new Set<string>();

/** Runs once per response, after its loaders, which would race for the cookie. */
export async function keepSessionAlive(request: Request, headers: Headers): Promise<void> {
  if (!request.headers.get("Cookie")?.includes(`${cookieName("session")}=`)) return;
  // A request that another site made the browser send is no use of the session.
  if (isCrossOriginChange(request)) return;
  try {
    const { user, session } = await findViewer(request);
    if (!user || !session) return;
    recordVisitSometimes(user.id);
    if (session.renewedSecondsAgo < RENEW_AFTER_SECONDS || setsSession(headers)) return;
    const renewed = await renewSession(session.sessionId, { afterSeconds: RENEW_AFTER_SECONDS });
    if (renewed === null) return;
    const token: unknown = await sessionCookie.parse(request.headers.get("Cookie"));
    headers.append("Set-Cookie", await sessionCookie.serialize(token, { maxAge: Math.floor(renewed) }));
  } catch (error) {
    // The page itself is fine; the next one renews.
    log.warn({ requestId: request.headers.get("x-request-id"), err: error }, "session not renewed");
  }
}

function recordVisitSometimes(userId: string): void {
  const now = performance.now();
  if (now - (recordedAt.get(userId) ?? Number.NEGATIVE_INFINITY) < RECORD_VISIT_EVERY_MS) return;
  if (recordedAt.size >= MAX_ENTRIES) recordedAt.clear();
  recordedAt.set(userId, now);
  if (visitors.size === 0) setTimeout(recordCollected, COLLECT_MS).unref();
  visitors.add(userId);
}

function recordCollected(): void {
  const userIds = [...visitors];
  visitors.clear();
  recordVisits(userIds).catch((error: unknown) => log.warn({ err: error }, "visits not recorded"));
}

function setsSession(headers: Headers): boolean {
  return headers.getSetCookie().some((cookie) => cookie.startsWith(`${cookieName("session")}=`));
}
