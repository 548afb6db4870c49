import type { LoaderFunctionArgs } from "@remix-run/node";
import { exportOwnData } from "#app/domain/auth/own-data.server.ts";
import { readAvatar } from "#app/domain/media/avatar.server.ts";
import { requireMember } from "#app/web/guards.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { user } = await requireMember(request);
  const [known, avatar] = await Promise.all([exportOwnData(user.id), readAvatar(user.id, user.avatarUrl)]);
  return new Response(JSON.stringify({ ...known, avatar }, null, 2), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="my-data.json"',
      "Cache-Control": "private, no-store",
    },
  });
}
