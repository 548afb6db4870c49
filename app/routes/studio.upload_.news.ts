import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireStaff } from "#app/web/session/guards.server.ts";
import { findUploads } from "#app/web/studio/upload-page.server.ts";

/** For the page's script: a load of the page may lead to the sign-in, and the uploads would be lost. */
export async function loader({ request }: LoaderFunctionArgs) {
  const member = await requireStaff(request, "media.edit");
  const batches = await findUploads(member.user.id);
  return Response.json(batches, { headers: { "Cache-Control": "private, no-store" } });
}
