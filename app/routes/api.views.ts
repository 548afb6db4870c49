import type { ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { savePlace } from "#app/domain/viewing/save-place.server.ts";
import { requireMember } from "#app/web/guards.server.ts";
import { assertAccess, mediaFormAnswer, readMediaForm } from "#app/web/media-form.server.ts";

const number = z.string().trim().min(1).transform(Number);
const place = z.object({
  /** Seconds of a film, number of a photo. */
  progress: number.pipe(z.number().min(0).max(1_000_000)),
  /** Milliseconds since 1970. */
  sequence: number.pipe(z.number().int().positive().max(Number.MAX_SAFE_INTEGER)).optional(),
});

/** Remembers a place and returns the row as it then stands. Sent by the player again and again, and once more on leaving. */
export async function action({ request }: ActionFunctionArgs) {
  const member = await requireMember(request);
  const sent = await readMediaForm(request, member);
  const { form, mediaId } = sent;
  const parsed = place.safeParse(Object.fromEntries(form));
  if (!parsed.success) return Response.json({ error: "Request Failed" }, { status: 422 });
  await assertAccess(member, mediaId, "view");
  const { progress, sequence } = parsed.data;
  const row = await savePlace({
    userId: member.user.id,
    mediaId,
    progress,
    ...(sequence === undefined ? {} : { sequence }),
  });
  return mediaFormAnswer(sent, row);
}
