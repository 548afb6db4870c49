import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { paths } from "#app/paths.ts";
import { receiveUploadForm } from "#app/web/forms/upload-form.server.ts";
import { requireStaff } from "#app/web/session/guards.server.ts";

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { hasPage: false });
  const { files, trouble } = await receiveUploadForm(request, member.user.id);
  return redirect(paths.studioUpload({ arrived: files, trouble: trouble ?? undefined }), { status: 303 });
}
