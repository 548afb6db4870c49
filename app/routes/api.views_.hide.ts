import type { ActionFunctionArgs } from "@remix-run/node";
import { hideFromContinue } from "#app/domain/viewing/places.server.ts";
import { requireMember } from "#app/web/guards.server.ts";
import { mediaFormAnswer, readMediaForm } from "#app/web/media-form.server.ts";

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireMember(request);
  const sent = await readMediaForm(request, member);
  await hideFromContinue(member.user.id, sent.mediaId);
  return mediaFormAnswer(sent);
}
