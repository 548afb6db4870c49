import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { listCreators } from "#app/domain/catalog/creators/creators.server.ts";
import { parseCreatorSort, parseFilters } from "#app/domain/catalog/lists/list-filters.ts";
import { paths } from "#app/paths.ts";
import { CardGrid } from "#app/ui/cards/card-grid.tsx";
import { CreatorCard } from "#app/ui/cards/creator-card.tsx";
import { ShortFilters } from "#app/ui/catalog/list-form.tsx";
import { PageLinks } from "#app/ui/catalog/page-links.tsx";
import { EmptyState } from "#app/ui/parts/empty-state.tsx";
import { Page } from "#app/ui/parts/page.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import type { PageHandle } from "#app/web/pages/page-cache.server.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { limitSearch } from "#app/web/request/limits.server.ts";
import { requireAdult } from "#app/web/session/guards.server.ts";

const SORT_LABELS = [
  ["name", "Name"],
  ["newest", "Newest work"],
  ["most", "Most work"],
] as const;

const FIRST_ROW = 4;

export const handle: PageHandle = { isSharedBySignedOut: true };

export const meta: MetaFunction = () => pageMeta({ title: "Creators", canonical: paths.creators() });

export async function loader({ request }: LoaderFunctionArgs) {
  const [viewer] = await Promise.all([requireAdult(request), limitSearch(request)]);
  const { searchParams } = new URL(request.url);
  const { q } = parseFilters(searchParams);
  const sort = parseCreatorSort(searchParams.get("sort"));
  const position = { after: searchParams.get("after"), before: searchParams.get("before") };
  const { creators, next, previous } = await listCreators(viewer, { q, sort, ...position });
  const url = (query: Record<string, string>) =>
    paths.creators({ q: q ?? undefined, sort: sort === "name" ? undefined : sort, ...query });
  return {
    q,
    sort,
    creators,
    isWhole: !q && !position.after && !position.before,
    next: next && url({ after: next }),
    previous: previous && url({ before: previous }),
  };
}

export default function CreatorsRoute() {
  const { q, sort, creators, next, previous, isWhole } = useLoaderData<typeof loader>();
  return (
    <Page>
      <h1>Creators</h1>
      <ShortFilters
        action={paths.creators()}
        label="Search creators"
        state={{ q, sort }}
        sorts={SORT_LABELS}
      />
      <section>
        <h2>
          <VisuallyHidden>Results</VisuallyHidden>
        </h2>
        {creators.length > 0 ? (
          <CardGrid shape="tall">
            {creators.map((creator, index) => (
              <CreatorCard key={creator.slug} creator={creator} priority={index < FIRST_ROW} />
            ))}
          </CardGrid>
        ) : isWhole ? (
          <EmptyState title="Nothing published yet.">
            <p>Creators appear here with their first publication.</p>
          </EmptyState>
        ) : (
          <EmptyState title="Nobody by that name">
            <p>
              Try other words, or <Link to={paths.creators()}>see all creators</Link>.
            </p>
          </EmptyState>
        )}
      </section>
      <PageLinks previous={previous} next={next} />
    </Page>
  );
}
