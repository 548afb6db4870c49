import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { revokeAllSessions } from "#app/domain/auth/sessions.server.ts";
import { paths } from "#app/paths.ts";
import { requireMember } from "#app/web/session/guards.server.ts";
import { endSession } from "#app/web/session/session-cookie.server.ts";

export async function action({ request }: ActionFunctionArgs) {
  const { user } = await requireMember(request, { hasPage: false });
  await revokeAllSessions(user.id);
  return redirect(paths.signedOut("everywhere"), {
    status: 303,
    headers: { "Set-Cookie": await endSession(request) },
  });
}
