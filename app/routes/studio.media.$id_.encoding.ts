import type { LoaderFunctionArgs } from "@remix-run/node";
import { findEncoding } from "#app/domain/catalog/encoding/encoding-view.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";

/** For the page's script: a load of the page would lose what somebody types there. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const member = await requireStaff(request, "media.edit");
  const encoding = await findEncoding(actorOf(member), params.id ?? "");
  if (encoding === null) throw new Response("Not Found", { status: 404 });
  return Response.json(encoding, { headers: { "Cache-Control": "private, no-store" } });
}
