import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { saveAvatarUrl } from "#app/domain/auth/profile.server.ts";
import { PictureError } from "#app/domain/media/picture.server.ts";
import { storeAvatar } from "#app/domain/media/store-picture.server.ts";
import { paths } from "#app/paths.ts";
import { readForm } from "#app/web/form-body.server.ts";
import { requireMember } from "#app/web/guards.server.ts";

const UPLOAD_LIMIT_BYTES = 5 * 1024 * 1024;

export async function action({ request }: ActionFunctionArgs) {
  const { user } = await requireMember(request);
  const file = (await readForm(request, UPLOAD_LIMIT_BYTES)).get("avatar");
  if (!(file instanceof File)) throw new Response("Request Failed", { status: 422 });

  const version = await storeAvatar(user.id, new Uint8Array(await file.arrayBuffer())).catch(
    refuseBadPicture,
  );
  await saveAvatarUrl(user.id, paths.avatar(user.id, version));
  return redirect(paths.account(), { status: 303 });
}

function refuseBadPicture(error: unknown): never {
  if (error instanceof PictureError) throw new Response(error.message, { status: 422 });
  throw error;
}
