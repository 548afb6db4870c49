import type { ActionFunctionArgs } from "@remix-run/node";
import { forgetView } from "#app/domain/viewing/progress.server.ts";
import { mediaFormAnswer, readMediaForm } from "#app/web/forms/media-form.server.ts";
import { announceChange } from "#app/web/live/announce-change.server.ts";
import { requireMember } from "#app/web/session/guards.server.ts";

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireMember(request, { hasPage: false });
  const sent = await readMediaForm(request);
  await forgetView(member.user.id, sent.mediaId);
  announceChange(member, "progress", sent.mediaId);
  return mediaFormAnswer(sent);
}
