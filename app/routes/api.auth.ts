import type { ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { renewSession } from "#app/domain/auth/sessions.server.ts";
import { endSession } from "#app/web/end-session.server.ts";
import { readBody } from "#app/web/form-body.server.ts";
import { anyone, isMember, type Member } from "#app/web/guards.server.ts";
import { sessionCookie } from "#app/web/session-cookie.server.ts";
import { sessionView, userView } from "#app/web/session-view.server.ts";

const EVENTS = ["SIGNED_IN", "SIGNED_OUT", "TOKEN_REFRESHED", "USER_UPDATED", "PASSWORD_RECOVERY"] as const;
/** What the browser says of its session is not read: who it is, the cookie's row says. */
const report = z.object({ event: z.enum(EVENTS), session: z.unknown() });

export async function action({ request }: ActionFunctionArgs) {
  const viewer = await anyone(request);
  const event = await readEvent(request);
  if (event === null) return failed(400);
  if (event === "PASSWORD_RECOVERY") return new Response(null, { status: 204 });
  if (event === "SIGNED_OUT") {
    return Response.json({ session: null }, { headers: { "Set-Cookie": await endSession(request) } });
  }
  if (!isMember(viewer)) return failed(401);
  if (event === "USER_UPDATED") return Response.json({ user: userView(viewer.user) });
  if (event === "TOKEN_REFRESHED") return refreshed(request, viewer);
  return Response.json({ session: sessionView(viewer) });
}

async function refreshed(request: Request, viewer: Member) {
  const expiresIn = await renewSession(viewer.session.sessionId);
  if (expiresIn === null) return failed(401);
  const token: unknown = await sessionCookie.parse(request.headers.get("Cookie"));
  const cookie = await sessionCookie.serialize(token, { maxAge: Math.floor(expiresIn) });
  return Response.json({ session: sessionView(viewer, expiresIn) }, { headers: { "Set-Cookie": cookie } });
}

async function readEvent(request: Request): Promise<(typeof EVENTS)[number] | null> {
  const body = await readBody(request);
  try {
    return report.parse(JSON.parse(new TextDecoder().decode(body))).event;
  } catch {
    return null;
  }
}

function failed(status: 400 | 401) {
  return Response.json({ error: "Request Failed" }, { status });
}
