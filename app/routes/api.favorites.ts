import type { ActionFunctionArgs } from "@remix-run/node";
import { saveFavorite } from "#app/domain/favorites/favorites.server.ts";
import { requireMember } from "#app/web/guards.server.ts";
import { assertAccess, mediaFormAnswer, readMediaForm } from "#app/web/media-form.server.ts";

const FLAGS = { true: true, false: false } as const;

/** Sets or, without a value, begins a favorite; returns the row as it then stands. */
export async function action({ request }: ActionFunctionArgs) {
  const member = await requireMember(request);
  const sent = await readMediaForm(request, member);
  const flag = sent.form.get("isFavorited");
  if (flag !== null && flag !== "true" && flag !== "false") {
    return Response.json({ error: "Request Failed" }, { status: 422 });
  }
  // What was withdrawn can still be taken off the list.
  if (flag !== "false") await assertAccess(member, sent.mediaId, "see");
  const row = await saveFavorite(member.user.id, sent.mediaId, flag === null ? null : FLAGS[flag]);
  return row ? mediaFormAnswer(sent, row) : Response.json({ error: "Request Failed" }, { status: 404 });
}
