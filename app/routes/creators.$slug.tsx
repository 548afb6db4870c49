import { data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { findCreator, findMovedCreator } from "#app/domain/catalog/creators/creators.server.ts";
import { parseFilters } from "#app/domain/catalog/lists/list-filters.ts";
import { findListPage } from "#app/domain/catalog/lists/list-page.server.ts";
import { hasRight } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { Portrait } from "#app/ui/cards/creator-card.tsx";
import styles from "#app/ui/catalog/catalog.module.css";
import { MediaGrid } from "#app/ui/catalog/media-grid.tsx";
import { PageLinks } from "#app/ui/catalog/page-links.tsx";
import { PrefetchLink } from "#app/ui/navigation/site-link.tsx";
import { EmptyState } from "#app/ui/parts/empty-state.tsx";
import { Page } from "#app/ui/parts/page.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import { parseDescription } from "#app/ui/prose/markdown.ts";
import { ProseView } from "#app/ui/prose/prose-page.tsx";
import type { PageHandle } from "#app/web/pages/page-cache.server.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { requireAdult } from "#app/web/session/guards.server.ts";

export const handle: PageHandle = { isSharedBySignedOut: true };

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta({ title: data?.creator.name, canonical: data ? paths.creator(data.creator.slug) : undefined });

type Tab = "videos" | "photos";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requireAdult(request);
  const { slug = "" } = params;
  const { searchParams } = new URL(request.url);
  const filters = { ...parseFilters(new URLSearchParams()), creator: slug };
  const position = { after: searchParams.get("after"), before: searchParams.get("before") };
  const listOf = (tab: Tab) =>
    findListPage(viewer, tab === "photos" ? "photoSet" : "video", filters, position);
  const requested = searchParams.get("tab") === "photos" ? "photos" : "videos";
  const [creator, requestedPage] = await Promise.all([findCreator(viewer, slug), listOf(requested)]);
  if (!creator) {
    const moved = await findMovedCreator(viewer, slug);
    if (moved === null) throw data(null, { status: 404 });
    throw redirect(paths.creator(moved, Object.fromEntries(searchParams)), 301);
  }
  const tab = chosenTab(searchParams.get("tab"), creator);
  const page = tab === requested ? requestedPage : await listOf(tab);
  const url = (query: Record<string, string>) => paths.creator(creator.slug, { tab, ...query });
  const { id, ...profile } = creator;
  return {
    creator: { ...profile, bio: parseDescription(profile.bio) },
    studio: hasRight(viewer, "media.edit") ? paths.studioName("creator", id) : null,
    tab,
    cards: page.cards,
    next: page.next && url({ after: page.next }),
    previous: page.previous && url({ before: page.previous }),
  };
}

export default function CreatorRoute() {
  const { creator, studio, tab, cards, next, previous } = useLoaderData<typeof loader>();
  const isCurrent = (name: typeof tab) => (name === tab ? "page" : undefined);
  return (
    <Page>
      <div className={styles.profile}>
        <div className={styles.portrait}>
          <Portrait name={creator.name} picture={creator.portrait} sizes="20rem" priority />
        </div>
        <div className={styles.words}>
          <h1>{creator.name}</h1>
          {creator.aliases.length > 0 ? (
            <p className={styles.muted}>Also known as {creator.aliases.join(", ")}</p>
          ) : null}
          {creator.bio.length > 0 ? <ProseView prose={creator.bio} /> : null}
          {creator.links.length > 0 ? (
            <ul className={styles.links}>
              {creator.links.map(({ label, url }) => (
                <li key={url}>
                  <a href={url} rel="noopener noreferrer nofollow">
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          ) : null}
          {studio === null ? null : (
            <p>
              <Link to={studio}>Edit this creator in the studio</Link>
            </p>
          )}
        </div>
      </div>
      <nav aria-label={`By ${creator.name}`}>
        <ul className={styles.tabs}>
          <li>
            <PrefetchLink
              to={paths.creator(creator.slug, { tab: "videos" })}
              aria-current={isCurrent("videos")}
            >
              Videos ({creator.videoCount})
            </PrefetchLink>
          </li>
          <li>
            <PrefetchLink
              to={paths.creator(creator.slug, { tab: "photos" })}
              aria-current={isCurrent("photos")}
            >
              Photos ({creator.photoSetCount})
            </PrefetchLink>
          </li>
        </ul>
      </nav>
      <section>
        <h2>
          <VisuallyHidden>{tab === "photos" ? "Photos" : "Videos"}</VisuallyHidden>
        </h2>
        {cards.length > 0 ? (
          <MediaGrid hasAnchors cards={cards} shape={tab === "photos" ? "tall" : "wide"} />
        ) : (
          <EmptyState title="Nothing published here yet">
            <p>
              {creator.videoCount + creator.photoSetCount > 0
                ? "Come back soon, or look at the other tab."
                : "Come back soon."}
            </p>
          </EmptyState>
        )}
      </section>
      <PageLinks previous={previous} next={next} />
    </Page>
  );
}

function chosenTab(
  text: string | null,
  { videoCount, photoSetCount }: { videoCount: number; photoSetCount: number },
): Tab {
  if (text === "photos" || text === "videos") return text;
  return videoCount === 0 && photoSetCount > 0 ? "photos" : "videos";
}
