import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { forgetAllViews } from "#app/domain/viewing/progress.server.ts";
import { paths } from "#app/paths.ts";
import { requireMember } from "#app/web/session/guards.server.ts";

export async function action({ request }: ActionFunctionArgs) {
  const { user } = await requireMember(request, { hasPage: false });
  await forgetAllViews(user.id);
  return redirect(paths.history(), { status: 303 });
}
