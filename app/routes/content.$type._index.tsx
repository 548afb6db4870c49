import {
  data,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import {
  type FilterOption,
  findMovedFilters,
  listShownOptions,
} from "#app/domain/catalog/lists/filter-options.server.ts";
import {
  countChosen,
  filterQuery,
  isNarrowed,
  type ListFilters,
  parseFilters,
  typedSearch,
} from "#app/domain/catalog/lists/list-filters.ts";
import { findListPage } from "#app/domain/catalog/lists/list-page.server.ts";
import { MEDIA_TYPES, type MediaType, paths } from "#app/paths.ts";
import { quoted } from "#app/texts.ts";
import {
  ACCESS_LABELS,
  LENGTH_FIELD,
  LENGTH_LABELS,
  labelOf,
  SEEN_LABELS,
} from "#app/ui/catalog/filter-labels.ts";
import {
  FilterChips,
  type FilterChoice,
  type FilterChoices,
  MediaFilters,
} from "#app/ui/catalog/media-filters.tsx";
import { MediaGrid } from "#app/ui/catalog/media-grid.tsx";
import { PageLinks } from "#app/ui/catalog/page-links.tsx";
import { EmptyState } from "#app/ui/parts/empty-state.tsx";
import { Page } from "#app/ui/parts/page.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import type { PageHandle } from "#app/web/pages/page-cache.server.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { limitSearch } from "#app/web/request/limits.server.ts";
import { RETRY_AFTER_SECONDS, retryAfter } from "#app/web/request/retry-after.ts";
import { requireAdult } from "#app/web/session/guards.server.ts";

const NAMES = { video: "Videos", photoSet: "Photos" } as const;

export const handle: PageHandle = { isSharedBySignedOut: true };

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  ...pageMeta({
    title: data ? NAMES[data.type] : undefined,
    canonical: data ? paths.list(data.type) : undefined,
  }),
  ...(data?.previous ? [{ tagName: "link", rel: "prev", href: data.previous }] : []),
  ...(data?.next ? [{ tagName: "link", rel: "next", href: data.next }] : []),
];

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const [viewer] = await Promise.all([requireAdult(request), limitSearch(request)]);
  const { searchParams } = new URL(request.url);
  const type = listType(params.type ?? "", searchParams);
  const filters = parseFilters(searchParams);
  const typed = typedSearch(searchParams);
  const position = { after: searchParams.get("after"), before: searchParams.get("before") };
  const [moved, options, page] = await Promise.all([
    findMovedFilters(viewer, filters),
    listShownOptions(type, filters),
    findListPage(viewer, type, filters, position),
  ]);
  if (moved !== null) {
    throw redirect(paths.list(type, { ...Object.fromEntries(searchParams), ...moved }), 301);
  }
  const url = (query: Record<string, string | undefined>) =>
    paths.list(type, { ...filterQuery(filters), ...query });
  // A corrected search gets its own URL, so the search box, the filters and the next page continue from it.
  if (page.corrected && !typed) throw redirect(url({ q: page.corrected, typed: filters.q ?? undefined }));
  const list = {
    type,
    filters: viewer.user ? filters : { ...filters, seen: null },
    options: { creators: choices(options.creators), tags: choices(options.tags) },
    cards: page.cards,
    typed,
    exactUrl: typed && url({ q: typed, exact: "1" }),
    next: page.next && url({ after: page.next }),
    previous: page.previous && url({ before: page.previous }),
    isFirstPage: !position.after && !position.before,
    isNarrowed: isNarrowed(filters) || Boolean(position.after || position.before),
    isSignedIn: viewer.user !== null,
    isSearchOverloaded: page.isSearchOverloaded,
  };
  if (!page.isSearchOverloaded) return list;
  return data(list, { status: 503, headers: retryAfter(RETRY_AFTER_SECONDS.busy) });
}

export default function ListRoute() {
  const list = useLoaderData<typeof loader>();
  const { type, filters, options, cards, exactUrl, next, previous } = list;
  return (
    <Page>
      <h1>{NAMES[type]}</h1>
      <MediaFilters
        type={type}
        filters={filters}
        options={options}
        chosen={countChosen(filters)}
        isSignedIn={list.isSignedIn}
      />
      <FilterChips chips={chipsOf(type, filters, options)} clear={paths.list(type)} />
      {exactUrl ? (
        <p>
          Showing results for <strong>{filters.q}</strong>.{" "}
          <Link to={exactUrl}>Search for {list.typed} instead</Link>
        </p>
      ) : null}
      <section>
        <h2>
          <VisuallyHidden>{list.isFirstPage ? "Results" : "More results"}</VisuallyHidden>
        </h2>
        {cards.length > 0 ? (
          <MediaGrid hasAnchors cards={cards} shape={type === "video" ? "wide" : "tall"} />
        ) : (
          <NothingHere
            type={type}
            isSearchOverloaded={list.isSearchOverloaded}
            isNarrowed={list.isNarrowed}
          />
        )}
      </section>
      <PageLinks previous={previous} next={next} />
    </Page>
  );
}

interface NothingHereProps {
  type: MediaType;
  isSearchOverloaded: boolean;
  isNarrowed: boolean;
}

function NothingHere({ type, isSearchOverloaded, isNarrowed }: NothingHereProps) {
  if (!isSearchOverloaded && !isNarrowed) {
    return (
      <EmptyState title="Nothing published yet.">
        <p>New work will appear here.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={isSearchOverloaded ? "This search took too long" : "Nothing matches these filters"}>
      <p>
        {isSearchOverloaded ? "Try other words, or" : "Try fewer words or filters, or"}{" "}
        <Link to={paths.list(type)}>see all {NAMES[type].toLowerCase()}</Link>.
      </p>
    </EmptyState>
  );
}

function listType(text: string, query: URLSearchParams): MediaType {
  const known = MEDIA_TYPES.find((type) => type.toLowerCase() === text.toLowerCase());
  if (known === text) return known;
  if (known) throw redirect(paths.list(known, Object.fromEntries(query)), 301);
  throw data(null, { status: 404 });
}

function choices(list: FilterOption[]): FilterChoice[] {
  return list.map(({ slug, name }) => [slug, name]);
}

function chipsOf(type: MediaType, filters: ListFilters, options: FilterChoices) {
  const labels: [keyof ListFilters, string | null][] = [
    ["q", filters.q && quoted(filters.q)],
    ["creator", filters.creator && labelOf(options.creators, filters.creator)],
    ["tag", filters.tag && labelOf(options.tags, filters.tag)],
    [
      "length",
      filters.length && `${LENGTH_FIELD[type].label}: ${labelOf(LENGTH_LABELS[type], filters.length)}`,
    ],
    ["access", filters.access && labelOf(ACCESS_LABELS, filters.access)],
    ["seen", filters.seen && labelOf(SEEN_LABELS, filters.seen)],
  ];
  return labels.flatMap(([name, label]) =>
    label === null
      ? []
      : [{ label, without: paths.list(type, { ...filterQuery(filters), [name]: undefined }) }],
  );
}
