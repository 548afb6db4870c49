import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { z } from "zod";
import { revokeSessionOf } from "#app/domain/auth/sessions.server.ts";
import { paths } from "#app/paths.ts";
import { field, readForm } from "#app/web/forms/form-body.server.ts";
import { requireMember } from "#app/web/session/guards.server.ts";
import { endSession } from "#app/web/session/session-cookie.server.ts";

export async function action({ request }: ActionFunctionArgs) {
  const { user, session } = await requireMember(request, { hasPage: false });
  const sessionId = z.uuid().safeParse(field(await readForm(request), "sessionId"));
  if (!sessionId.success) throw new Response("Request Failed", { status: 422 });

  if (sessionId.data === session.sessionId) {
    return redirect(paths.signedOut("here"), {
      status: 303,
      headers: { "Set-Cookie": await endSession(request) },
    });
  }
  await revokeSessionOf(user.id, sessionId.data);
  return redirect(`${paths.account({ saved: "device" })}#devices`, { status: 303 });
}
