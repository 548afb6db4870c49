import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { forgetAllViews } from "#app/domain/viewing/places.server.ts";
import { paths } from "#app/paths.ts";
import { requireMember } from "#app/web/guards.server.ts";
import { limitFormWrites } from "#app/web/limits.server.ts";

export async function action({ request }: ActionFunctionArgs) {
  const { user } = await requireMember(request);
  await limitFormWrites(request, user.id);
  await forgetAllViews(user.id);
  return redirect(paths.history(), { status: 303 });
}
