import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { portraitView } from "#app/domain/catalog/media/picture-view.ts";
import { type NameKind, paths } from "#app/paths.ts";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { NameHeading } from "#app/ui/studio/names/name-heading.tsx";
import { type Part, PartsFrame, useOldAnchors } from "#app/ui/studio/parts-frame.tsx";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { requireStaff } from "#app/web/session/guards.server.ts";
import { requireName } from "#app/web/studio/name-page.server.ts";

export { keepTyped as shouldRevalidate };

export const meta: MetaFunction<typeof loader> = ({ data: page, location }) => {
  if (!page) return pageMeta({ title: "Not found", robots: "noindex" });
  const part = nameParts(page)
    .slice(1)
    .find(({ to }) => to === location.pathname);
  return pageMeta({ title: part ? `${part.name}: ${page.name}` : page.name, robots: "noindex" });
};

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireStaff(request, "media.edit");
  const row = await requireName(params);
  const { kind, id, name, slug, works, isPublic } = row;
  // The name is beside the portrait.
  return { kind, id, name, slug, works, isPublic, portrait: portraitView({ ...row, portrait_alt: "" }) };
}

export default function StudioNameLayout() {
  const page = useLoaderData<typeof loader>();
  const overview = paths.studioName(page.kind, page.id);
  useOldAnchors(overview, PART_OF_ANCHOR);
  return (
    <StudioFrame title={page.name}>
      <PartsFrame
        overview={overview}
        back={`Back to this ${page.kind}`}
        above={<NameHeading {...page} />}
        parts={nameParts(page)}
      >
        <Outlet />
      </PartsFrame>
    </StudioFrame>
  );
}

const PART_OF_ANCHOR = { portrait: "portrait", merge: "merge", delete: "delete" };

interface NameFacts {
  kind: NameKind;
  id: string;
  portrait: object | null;
}

function nameParts({ kind, id, portrait }: NameFacts): Part[] {
  const part = (name: "Portrait" | "Merge" | "Delete", holds = "") => ({
    to: paths.studioNamePart(kind, id, name.toLowerCase() as Lowercase<typeof name>),
    name,
    holds,
  });
  const isCreator = kind === "creator";
  return [
    { to: paths.studioName(kind, id), name: isCreator ? "Name and texts" : "Name", holds: "" },
    ...(isCreator ? [part("Portrait", portrait === null ? "None" : "")] : []),
    part("Merge"),
    part("Delete"),
  ];
}
