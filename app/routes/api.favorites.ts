import type { ActionFunctionArgs } from "@remix-run/node";
import { removeFavorite, saveFavorite } from "#app/domain/favorites/favorites.server.ts";
import { assertAccess, mediaFormAnswer, readMediaForm } from "#app/web/forms/media-form.server.ts";
import { announceChange } from "#app/web/live/live-updates.server.ts";
import { requireMember } from "#app/web/session/guards.server.ts";

/** Without a value it only adds a missing row. */
export async function action({ request }: ActionFunctionArgs) {
  const member = await requireMember(request, { hasPage: false });
  const sent = await readMediaForm(request);
  const flag = sent.form.get("isFavorited");
  if (flag !== null && flag !== "true" && flag !== "false") {
    return Response.json({ error: "Request Failed" }, { status: 422 });
  }
  const { id: userId } = member.user;
  // A hidden item can still be removed from the list.
  if (flag !== "false") await assertAccess(member, sent.mediaId, "see");
  const row = await (flag === "false"
    ? removeFavorite(userId, sent.mediaId)
    : saveFavorite(userId, sent.mediaId, flag === null ? null : true));
  if (row === null) return Response.json({ error: "Request Failed" }, { status: 404 });
  announceChange(member, "favorite", sent.mediaId);
  return mediaFormAnswer(sent, row);
}
