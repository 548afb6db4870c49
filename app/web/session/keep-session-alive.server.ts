import { RENEW_AFTER_SECONDS, renewSession } from "#app/domain/auth/sessions.server.ts";
import { log } from "#app/log.server.ts";
import { isCrossOriginChange } from "../request/same-origin.server.ts";
import { findViewer } from "./guards.server.ts";
import { recordVisit } from "./record-visits.server.ts";
import { sessionCookie } from "./session-cookie.server.ts";

/** Once per response, after its loaders, which would race for the cookie. */
export async function keepSessionAlive(request: Request, headers: Headers): Promise<void> {
  if (!request.headers.get("Cookie")?.includes(`${sessionCookie.name}=`)) return;
  // A request that another site made the browser send does not count as a use of the session.
  if (isCrossOriginChange(request)) return;
  try {
    const { user, session } = await findViewer(request);
    if (!user || !session) return;
    recordVisit(user.id);
    if (session.renewedSecondsAgo < RENEW_AFTER_SECONDS || setsSession(headers)) return;
    const secondsLeft = await renewSession(session.sessionId, { afterSeconds: RENEW_AFTER_SECONDS });
    if (secondsLeft === null) return;
    const token: unknown = await sessionCookie.parse(request.headers.get("Cookie"));
    headers.append("Set-Cookie", await sessionCookie.serialize(token, { maxAge: Math.floor(secondsLeft) }));
  } catch (error) {
    log.warn({ requestId: request.headers.get("x-request-id"), err: error }, "session not renewed");
  }
}

function setsSession(headers: Headers): boolean {
  return headers.getSetCookie().some((cookie) => cookie.startsWith(`${sessionCookie.name}=`));
}
