import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { ItemFrame } from "#app/ui/studio/item/item-frame.tsx";
import { partsOf } from "#app/ui/studio/item/item-parts.ts";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { useOldAnchors } from "#app/ui/studio/parts-frame.tsx";
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
  useOldAnchors(paths.studioItem(item.id), PART_OF_ANCHOR);
  return (
    <StudioFrame title={item.title} item={item.id}>
      <ItemFrame {...item} parts={partsOf(item)}>
        <Outlet />
      </ItemFrame>
    </StudioFrame>
  );
}

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
  encoding: "files",
  originals: "files",
};
