import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { announceToOtherDevices } from "#app/domain/announcements/live-announcements.server.ts";
import { forgetAllViews } from "#app/domain/viewing/view-actions.server.ts";
import { paths } from "#app/paths.ts";
import { requireMember } from "#app/web/session/guards.server.ts";

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireMember(request, { hasPage: false });
  await forgetAllViews(member.user.id);
  announceToOtherDevices(member, "progress");
  return redirect(paths.history(), { status: 303 });
}
