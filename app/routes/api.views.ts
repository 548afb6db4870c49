import type { ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { announceToOtherDevices } from "#app/domain/announcements/live-announcements.server.ts";
import { saveProgress } from "#app/domain/viewing/save-progress.server.ts";
import { mediaFormAnswer, readMediaForm } from "#app/web/forms/form-body.server.ts";
import { assertAccess, requireMember } from "#app/web/session/guards.server.ts";

const number = z.string().max(40, { abort: true }).trim().min(1).transform(Number);
/** `progress`: seconds of a video, or the position of a photo. `sequence`: milliseconds since 1970 by the server's clock. */
const report = z.object({
  progress: number.pipe(z.number().min(0).max(1_000_000)),
  sequence: number.pipe(z.number().int().positive().max(Number.MAX_SAFE_INTEGER)).optional(),
});

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireMember(request, { hasPage: false, limit: "progressByUser" });
  const sent = await readMediaForm(request, report);
  await assertAccess(member, sent.mediaId, "view");
  const row = await saveProgress({ ...sent.fields, userId: member.user.id, mediaId: sent.mediaId });
  announceToOtherDevices(member, "progress", sent.mediaId);
  return mediaFormAnswer(sent, row);
}
