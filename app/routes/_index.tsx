import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { isSubscribed } from "#app/domain/access/access.ts";
import { sellingProvider } from "#app/domain/billing/providers/providers.server.ts";
import type { MediaCardView } from "#app/domain/catalog/cards/cards.server.ts";
import { findHomePage, type HomePage } from "#app/domain/home/home-page.server.ts";
import { paths } from "#app/paths.ts";
import { CardGrid } from "#app/ui/cards/card-grid.tsx";
import { CreatorCard } from "#app/ui/cards/creator-card.tsx";
import styles from "#app/ui/catalog/catalog.module.css";
import { MediaGrid } from "#app/ui/catalog/media-grid.tsx";
import { OPENING } from "#app/ui/catalog/opening.ts";
import { PrefetchLink, SiteLink } from "#app/ui/navigation/site-link.tsx";
import { buttonClass } from "#app/ui/parts/button.tsx";
import { EmptyState } from "#app/ui/parts/empty-state.tsx";
import { Page } from "#app/ui/parts/page.tsx";
import { Picture } from "#app/ui/parts/picture.tsx";
import { ContinueRow } from "#app/ui/progress/continue-row.tsx";
import { useReloadAfterSave } from "#app/ui/progress/saved-progress.ts";
import { useUser } from "#app/ui/session/user-context.tsx";
import type { PageHandle } from "#app/web/pages/page-cache.server.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { ownOpening } from "#app/web/pages/site-facts.server.ts";
import { requireAdult } from "#app/web/session/guards.server.ts";

export const handle: PageHandle = { isSharedBySignedOut: true };

export const meta: MetaFunction = () => pageMeta({ canonical: paths.home() });

export async function loader({ request }: LoaderFunctionArgs) {
  const finding = requireAdult(request);
  const home = await findHomePage(finding);
  const viewer = await finding;
  return {
    ...home,
    ...ownOpening(),
    isSignedIn: viewer.user !== null,
    hasOffer: sellingProvider() !== null && !isSubscribed(viewer),
  };
}

export default function HomeRoute() {
  const home = useLoaderData<typeof loader>();
  useReloadAfterSave();
  const isStaff = (useUser()?.rights.length ?? 0) > 0;
  const newest = home.fresh.cards[0]?.type ?? "video";
  return (
    <Page>
      {home.isSignedIn ? (
        <h1>Welcome back</h1>
      ) : (
        <Opening lead={home.lead} own={home.opening} hasOffer={home.hasOffer} />
      )}
      {home.begun.length > 0 ? (
        <Section title="Continue" more={paths.history()} moreLabel="History">
          <ContinueRow viewed={home.begun} />
        </Section>
      ) : null}
      {home.fresh.count > 0 ? (
        <Section
          title={`New since your last visit (${home.fresh.count}${home.fresh.isMore ? "+" : ""})`}
          more={paths.list(newest)}
          moreLabel={newest === "video" ? "All videos" : "All photos"}
        >
          <MediaGrid cards={home.fresh.cards} shape="wide" hasWholeRows />
        </Section>
      ) : null}
      {home.favorites.length > 0 ? (
        <Section title="Your favorites" more={paths.favorites()}>
          <MediaGrid cards={home.favorites} shape="wide" hasWholeRows />
        </Section>
      ) : null}
      {home.videos.length > 0 ? (
        <Section title="Newest videos" more={paths.list("video")}>
          <MediaGrid cards={home.videos} shape="wide" hasWholeRows />
        </Section>
      ) : null}
      {home.photoSets.length > 0 ? (
        <Section title="Newest photo sets" more={paths.list("photoSet")}>
          <MediaGrid cards={home.photoSets} shape="tall" hasWholeRows />
        </Section>
      ) : null}
      {home.creators.length > 0 ? (
        <Section title="Creators" more={paths.creators()}>
          <CardGrid shape="tall" hasWholeRows>
            {home.creators.map((creator) => (
              <CreatorCard key={creator.slug} creator={creator} />
            ))}
          </CardGrid>
        </Section>
      ) : null}
      {isEmpty(home) ? (
        <EmptyState title="Nothing published yet.">
          {isStaff ? (
            <p>
              <SiteLink to={paths.studio()}>Open the studio</SiteLink> to upload and publish your first work.
            </p>
          ) : (
            <p>New work will appear here.</p>
          )}
        </EmptyState>
      ) : null}
      {home.hasOffer ? <Offer /> : null}
    </Page>
  );
}

function isEmpty({
  lead,
  videos,
  photoSets,
  creators,
}: Pick<HomePage, "lead" | "videos" | "photoSets" | "creators">): boolean {
  return lead === null && [videos, photoSets, creators].every((list) => list.length === 0);
}

interface OpeningProps {
  lead: MediaCardView | null;
  /** The owner's words, where they differ from ours. */
  own: Partial<typeof OPENING> | undefined;
  /** False on a site that sells nothing. */
  hasOffer: boolean;
}

function Opening({ lead, own, hasOffer }: OpeningProps) {
  const { headline, words } = { ...OPENING, ...own };
  return (
    <section className={styles.lead}>
      <div className={styles.opening}>
        <h1>{headline}</h1>
        <p>{words}</p>
        <p className={styles.buttons}>
          {hasOffer ? (
            <SiteLink className={buttonClass()} to={paths.subscribe()}>
              See the plans
            </SiteLink>
          ) : null}
          <SiteLink className={buttonClass(hasOffer ? "quiet" : undefined)} to={paths.signIn()}>
            Sign in
          </SiteLink>
        </p>
      </div>
      {lead ? (
        <SiteLink className={styles.leadMedia} to={paths.media(lead.type, lead.slug)}>
          <Picture picture={lead.cover} sizes="(min-width: 62em) 44rem, 92vw" priority />
          <span>Newest: {[lead.title, ...lead.creators.map(({ name }) => name)].join(", ")}</span>
        </SiteLink>
      ) : null}
    </section>
  );
}

interface SectionProps {
  title: string;
  more: string;
  moreLabel?: string;
  children: ReactNode;
}

function Section({ title, more, moreLabel = "See all", children }: SectionProps) {
  return (
    <section className={styles.section}>
      <div className={styles.heading}>
        <h2>{title}</h2>
        <PrefetchLink to={more} aria-label={`${moreLabel}: ${title}`}>
          {moreLabel}
        </PrefetchLink>
      </div>
      {children}
    </section>
  );
}

function Offer() {
  return (
    <section className={styles.opening}>
      <h2>Everything, with one subscription</h2>
      <p>Every video and every set in full, and new work as it comes out. Cancel whenever you like.</p>
      <SiteLink className={buttonClass()} to={paths.subscribe()}>
        See the plans
      </SiteLink>
    </section>
  );
}
