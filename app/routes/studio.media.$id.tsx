import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Outlet, useLoaderData, useLocation, useNavigate } from "@remix-run/react";
import { useEffect } from "react";
import { paths } from "#app/paths.ts";
import { ItemFrame } from "#app/ui/studio/item/item-frame.tsx";
import { partsOf } from "#app/ui/studio/item/item-parts.ts";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { requireStaff } from "#app/web/session/guards.server.ts";
import { findItemFrame } from "#app/web/studio/item-frame.server.ts";

export { keepTyped as shouldRevalidate };

export const meta: MetaFunction<typeof loader> = ({ data: item, location }) => {
  if (!item) return pageMeta({ title: "Not found", robots: "noindex" });
  const part = partsOf(item).find(({ to }) => to === location.pathname && to !== paths.studioItem(item.id));
  return pageMeta({ title: part ? `${part.name}: ${item.title}` : item.title, robots: "noindex" });
};

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireStaff(request, "media.edit");
  const item = await findItemFrame(params.id ?? "");
  if (item === null) throw new Response("Not Found", { status: 404 });
  return item;
}

export default function StudioItemLayout() {
  const item = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  useOldAnchors(item.id);
  return (
    <StudioFrame title={item.title}>
      <ItemFrame {...item} parts={partsOf(item)} isOverview={pathname === paths.studioItem(item.id)}>
        <Outlet />
      </ItemFrame>
    </StudioFrame>
  );
}

/** The sections that one long page once had. Servers do not see the anchor of a bookmark. */
const PART_OF_ANCHOR: Record<string, string> = {
  text: "text",
  credits: "credits",
  tags: "credits",
  shoot: "credits",
  dates: "dates",
  access: "access",
  chapters: "chapters",
  cover: "cover",
  captions: "captions",
  trailer: "trailer",
  photos: "photos",
  order: "photos",
  photoFiles: "photos",
  leftOut: "photos",
};

function useOldAnchors(id: string): void {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const part = PART_OF_ANCHOR[hash.slice(1)];
    if (part !== undefined && pathname === paths.studioItem(id)) {
      navigate(paths.studioItemPart(id, part) + search, { replace: true });
    }
  }, [id, pathname, search, hash, navigate]);
}
