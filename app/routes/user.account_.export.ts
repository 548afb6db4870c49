import type { LoaderFunctionArgs } from "@remix-run/node";
import { exportOwnData } from "#app/domain/account/export.server.ts";
import { readAvatar } from "#app/domain/media/avatar.server.ts";
import { limitExport } from "#app/web/request/limits.server.ts";
import { assertFreshSignIn, requireMember } from "#app/web/session/guards.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const member = await requireMember(request, { hasPage: false });
  assertFreshSignIn(request, member, "export");
  const { user } = member;
  await limitExport(request, user.id);
  const [known, avatar] = await Promise.all([exportOwnData(user.id), readAvatar(user.id, user.avatarUrl)]);
  return new Response(JSON.stringify({ ...known, avatar }, null, 2), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="my-data.json"',
      "Cache-Control": "private, no-store",
    },
  });
}
