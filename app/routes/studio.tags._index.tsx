import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { count } from "#app/counts.ts";
import { listStudioTags } from "#app/domain/catalog/edit/names/list-names.server.ts";
import { nameQuery, parseNameQuery } from "#app/domain/catalog/edit/names/name-query.ts";
import { paths } from "#app/paths.ts";
import { ShortFilters } from "#app/ui/catalog/list-form.tsx";
import { PageLinks } from "#app/ui/catalog/page-links.tsx";
import { EmptyState } from "#app/ui/parts/empty-state.tsx";
import { NameList } from "#app/ui/studio/names/name-list.tsx";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { limitSearch } from "#app/web/request/limits.server.ts";
import { requireStaff } from "#app/web/session/guards.server.ts";

const SORT_LABELS = [
  ["name", "Name"],
  ["works", "Most items"],
] as const;

export const meta: MetaFunction = () => pageMeta({ title: "Tags, studio", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  await Promise.all([requireStaff(request, "media.edit"), limitSearch(request)]);
  const { searchParams } = new URL(request.url);
  const query = parseNameQuery(searchParams);
  const position = { after: searchParams.get("after"), before: searchParams.get("before") };
  const { names, next, previous } = await listStudioTags(query, position);
  const kept = nameQuery(query);
  return {
    query,
    names: names.map(({ id, name, slug, works }) => ({
      ...{ id, name, to: paths.studioTag(id), facts: [] },
      works: { to: paths.studioMedia({ tag: slug }), text: count(works, "item") },
    })),
    isDeleted: searchParams.get("saved") === "deleted",
    next: next && paths.studioTags({ ...kept, after: next }),
    previous: previous && paths.studioTags({ ...kept, before: previous }),
  };
}

export default function StudioTagsPage() {
  const { query, names, isDeleted, next, previous } = useLoaderData<typeof loader>();
  return (
    <StudioFrame
      title="Tags"
      about="Add a new tag on the page of an item. The numbers include unpublished items."
    >
      {isDeleted && <p role="status">The tag is deleted.</p>}
      <ShortFilters action={paths.studioTags()} label="Search tags" state={query} sorts={SORT_LABELS} />
      {names.length > 0 ? (
        <NameList names={names} />
      ) : query.q === null ? (
        <EmptyState title="No tags yet">
          <p>Tags appear here when an item has them.</p>
        </EmptyState>
      ) : (
        <EmptyState title="No tag with that name">
          <p>
            Try other words, or <Link to={paths.studioTags()}>see all tags</Link>.
          </p>
        </EmptyState>
      )}
      <PageLinks previous={previous} next={next} />
    </StudioFrame>
  );
}
