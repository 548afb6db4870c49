import type { ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { announceToOtherDevices } from "#app/domain/announcements/live-announcements.server.ts";
import { removeFavorite, saveFavorite } from "#app/domain/favorites/favorites.server.ts";
import { mediaFormAnswer, readMediaForm } from "#app/web/forms/form-body.server.ts";
import { assertAccess, requireMember } from "#app/web/session/guards.server.ts";

const mark = z.object({ isFavorited: z.enum(["true", "false"]).optional() });

/** Without a value it only adds a missing row. */
export async function action({ request }: ActionFunctionArgs) {
  const member = await requireMember(request, { hasPage: false });
  const { id: userId } = member.user;
  const sent = await readMediaForm(request, mark);
  const { mediaId, fields } = sent;
  // A hidden item can still be removed from the list.
  if (fields.isFavorited !== "false") await assertAccess(member, mediaId, "see");
  const row = await (fields.isFavorited === "false"
    ? removeFavorite(userId, mediaId)
    : saveFavorite(userId, mediaId, fields.isFavorited === undefined ? null : true));
  if (row === null) return Response.json({ error: "Request Failed" }, { status: 404 });
  announceToOtherDevices(member, "favorite", mediaId);
  return mediaFormAnswer(sent, row);
}
