import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { deleteAccount } from "#app/domain/auth/profile.server.ts";
import { deleteAvatars } from "#app/domain/media/store-picture.server.ts";
import { paths } from "#app/paths.ts";
import { endSession } from "#app/web/end-session.server.ts";
import { field, readForm } from "#app/web/form-body.server.ts";
import { requireMember } from "#app/web/guards.server.ts";

export async function action({ request }: ActionFunctionArgs) {
  const { user } = await requireMember(request);
  if (field(await readForm(request), "confirm") !== "yes") return redirect(paths.account(), { status: 303 });

  await deleteAccount(user.id);
  await deleteAvatars(user.id);
  return redirect(paths.home(), { status: 303, headers: { "Set-Cookie": await endSession(request) } });
}
