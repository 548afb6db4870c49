import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { saveAvatarUrl } from "#app/domain/auth/profile.server.ts";
import { deleteAvatars } from "#app/domain/media/avatar.server.ts";
import { paths } from "#app/paths.ts";
import { requireMember } from "#app/web/session/guards.server.ts";

export async function action({ request }: ActionFunctionArgs) {
  const { user } = await requireMember(request, { hasPage: false });
  await saveAvatarUrl(user.id, null);
  await deleteAvatars(user.id);
  return redirect(`${paths.account({ saved: "picture-removed" })}#picture`, { status: 303 });
}
