import type { ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { renewSession } from "#app/domain/auth/sessions.server.ts";
import { readBody } from "#app/web/forms/form-body.server.ts";
import { limitChangesWithoutPage } from "#app/web/request/limits.server.ts";
import { anyone, isMember, type Member } from "#app/web/session/guards.server.ts";
import { endSession, sessionCookie } from "#app/web/session/session-cookie.server.ts";

const EVENTS = ["SIGNED_IN", "SIGNED_OUT", "TOKEN_REFRESHED", "USER_UPDATED", "PASSWORD_RECOVERY"] as const;
/** The reported session is ignored: the viewer comes from the cookie. */
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
  await limitChangesWithoutPage(request, viewer.user.id);
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

function sessionView({ user, session }: Member, expiresIn = session.expiresIn) {
  const seconds = Math.floor(expiresIn);
  return {
    expires_in: seconds,
    expires_at: Math.floor(session.now.getTime() / 1000) + seconds,
    token_type: "cookie" as const,
    user: userView(user),
  };
}

function userView({ id, email, fullName, avatarUrl }: Member["user"]) {
  return { id, email, full_name: fullName, avatar_url: avatarUrl };
}
