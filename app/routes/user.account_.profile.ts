import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { profileForm, saveProfile } from "#app/domain/auth/profile.server.ts";
import { paths } from "#app/paths.ts";
import { readForm } from "#app/web/form-body.server.ts";
import { requireMember } from "#app/web/guards.server.ts";

export async function action({ request }: ActionFunctionArgs) {
  const { user } = await requireMember(request);
  const parsed = profileForm.safeParse(Object.fromEntries(await readForm(request)));
  if (!parsed.success) throw new Response("Request Failed", { status: 422 });

  await saveProfile(user.id, parsed.data);
  return redirect(paths.account(), { status: 303 });
}
