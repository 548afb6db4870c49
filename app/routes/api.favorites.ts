import type { ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { accessTo } from "#app/domain/access/access.ts";
import { announceToOtherDevices } from "#app/domain/announcements/live-announcements.server.ts";
import { removeFavorite, saveFavorite } from "#app/domain/favorites/favorites.server.ts";
import { removePhotoFavorite, savePhotoFavorite } from "#app/domain/favorites/photo-favorites.server.ts";
import { photoAnchor } from "#app/paths.ts";
import {
  type MediaForm,
  mediaFormAnswer,
  mediaFormRefusal,
  readMediaForm,
} from "#app/web/forms/form-body.server.ts";
import { assertAccess, type Member, requireMember } from "#app/web/session/guards.server.ts";

/** The largest integer of PostgreSQL. */
const MAX_PHOTO_NUMBER = 2_147_483_647;

const photoNumber = z
  .string()
  .max(10, { abort: true })
  .regex(/^[1-9]\d*$/)
  .transform(Number)
  .pipe(z.number().max(MAX_PHOTO_NUMBER));
const mark = z.object({ isFavorited: z.enum(["true", "false"]).optional(), photo: photoNumber.optional() });

const REQUEST_FAILED = { error: "Request Failed" };

/** Without `isFavorited` it only adds a missing row. */
export async function action({ request }: ActionFunctionArgs) {
  const member = await requireMember(request, { hasPage: false });
  const sent = await readMediaForm(request, mark);
  const row = await change(member, sent).catch((refusal: unknown) => {
    throw refusal instanceof Response ? mediaFormRefusal(request, sent, refusal) : refusal;
  });
  if (row === null) throw mediaFormRefusal(request, sent, Response.json(REQUEST_FAILED, { status: 404 }));
  const { mediaId, fields } = sent;
  announceToOtherDevices(member, "favorite", mediaId);
  return mediaFormAnswer(
    sent,
    row,
    fields.photo === undefined ? undefined : photoAnchor(mediaId, fields.photo),
  );
}

async function change(
  member: Member,
  { mediaId, fields: { isFavorited, photo } }: MediaForm<z.output<typeof mark>>,
): Promise<object | null> {
  const { id: userId } = member.user;
  if (isFavorited === "false") {
    // A hidden item can still be removed from the list.
    return photo === undefined
      ? removeFavorite(userId, mediaId)
      : removePhotoFavorite(userId, { mediaId, photo });
  }
  const rule = await assertAccess(member, mediaId, "see");
  return photo === undefined
    ? saveFavorite(userId, mediaId, isFavorited === undefined ? null : true)
    : savePhotoFavorite(userId, { mediaId, photo }, accessTo(member, rule, "view").allowed);
}
