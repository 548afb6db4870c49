import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { photosAndArchive } from "#app/domain/catalog/downloads/set-archive.server.ts";
import { findRelated } from "#app/domain/catalog/lists/related.server.ts";
import { photoView } from "#app/domain/catalog/media/photos.server.ts";
import { lockedPicture } from "#app/domain/catalog/media/picture-view.ts";
import { resumePoint } from "#app/domain/viewing/progress-rules.ts";
import { paths } from "#app/paths.ts";
import styles from "#app/ui/catalog/catalog.module.css";
import { PageLinks } from "#app/ui/catalog/page-links.tsx";
import { RelatedSections } from "#app/ui/catalog/related.tsx";
import { FavoriteAction } from "#app/ui/favorites/favorite-action.tsx";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import { buttonClass } from "#app/ui/parts/button.tsx";
import { DownloadLink } from "#app/ui/parts/download-link.tsx";
import { LockedPanel } from "#app/ui/parts/locked-panel.tsx";
import { MediaHeading } from "#app/ui/parts/media-heading.tsx";
import { Page } from "#app/ui/parts/page.tsx";
import { StaffMark } from "#app/ui/parts/staff-mark.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import { useLightbox } from "#app/ui/photos/lightbox/use-lightbox.tsx";
import grid from "#app/ui/photos/photo-grid.module.css";
import { PhotoGrid } from "#app/ui/photos/photo-grid.tsx";
import { ProgressLine } from "#app/ui/progress/progress-line.tsx";
import { useReloadAfterSave } from "#app/ui/progress/saved-progress.ts";
import { parseDescription } from "#app/ui/prose/markdown.ts";
import { ProseView } from "#app/ui/prose/prose-page.tsx";
import { findLockedOffer, findPreviews } from "#app/web/media/locked-offer.server.ts";
import { lockedPanel } from "#app/web/media/locked-panel.ts";
import { openMedia } from "#app/web/media/open-media.server.ts";
import { gridPage, gridPageIn } from "#app/web/media/photo-pages.ts";
import { isPublicPage } from "#app/web/media/staff-mark.ts";
import type { PageHandle } from "#app/web/pages/page-cache.server.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { requireAdult } from "#app/web/session/guards.server.ts";

const pathOf = (slug: string) => paths.media("photoSet", slug);

export const handle: PageHandle = { isSharedBySignedOut: isPublicPage };

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta({
    title: data?.set.title,
    canonical: data && paths.media("photoSet", data.set.slug, data.pages.own),
  });

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requireAdult(request);
  const page = gridPageIn(request.url);
  const part = (viewerId: string | undefined) => photosAndArchive(page, viewer, viewerId);
  const wanted = { type: "photoSet", slug: params.slug ?? "", pathOf, page, part } as const;
  const [opened, related] = await Promise.all([
    openMedia(request, viewer, wanted),
    findRelated(viewer, wanted.type, wanted.slug),
  ]);
  const { media, decision, mayDownload, mayFavorite, seenBy, isOwnVisit, mark } = opened;
  const { id, slug, title, description, creators, tags, color, coverVersion, own } = media;
  const archive = mayDownload && isOwnVisit ? media.part.archive : null;
  const locked = lockedPanel(decision, media.access, seenBy, pathOf(slug));
  const count = media.photoCount ?? 0;
  const [open, offer] = locked
    ? await Promise.all([findPreviews(seenBy, id, page), findLockedOffer(seenBy, media.access)])
    : [{ photos: media.part.photos, total: count }, null];
  const photos = open.photos.flatMap((photo) => {
    const { picture, ...view } = photoView(id, photo, decision.allowed);
    return picture ? [{ ...view, picture }] : [];
  });
  const progress = decision.allowed ? own.progress : null;
  return {
    set: { id, slug, title, description: parseDescription(description), creators, tags },
    blur: lockedPicture({ id, type: "photoSet", color, coverVersion }),
    locked: locked && { ...locked, plan: offer?.plan ?? null },
    count,
    photos,
    openCount: open.total,
    pages: gridPage({ photos, total: open.total }, page, pathOf(slug), mark?.as),
    resumeAt: resumePoint(progress, count),
    isCompleted: progress?.isCompleted ?? false,
    isFavorited: own.isFavorited,
    mayFavorite,
    download: archive && { url: paths.mediaArchive(id, archive.hash), bytes: archive.bytes },
    related,
    mark,
  };
}

export default function PhotoSetPage() {
  const { set, blur, locked, count, photos, openCount, pages, related, mark, download, mayFavorite, ...own } =
    useLoaderData<typeof loader>();
  const { area, lightbox, isOpen } = useLightbox(set.slug, null);
  useReloadAfterSave(!isOpen);
  const as = mark?.as ?? null;
  const media = { ...set, type: "photoSet" } as const;
  const restCount = count - openCount;
  return (
    <Page {...area}>
      {mark ? <StaffMark {...mark} here={pathOf(set.slug)} /> : null}
      <MediaHeading
        {...media}
        description={media.description.length > 0 && <ProseView prose={media.description} />}
        actions={
          <>
            {locked === null && own.resumeAt === null && openCount > 0 ? (
              <SiteLink
                className={buttonClass()}
                to={paths.photo(set.slug, 1, { as: as ?? undefined })}
                data-photo={1}
              >
                {openCount === 1 ? "View the photo" : `View ${openCount} photos`}
              </SiteLink>
            ) : null}
            <ProgressLine media={media} {...own} photoCount={count} as={as} />
            {download ? <DownloadLink {...download} size="all" /> : null}
            {mayFavorite ? <FavoriteAction media={media} isFavorited={own.isFavorited} /> : null}
          </>
        }
      />
      {openCount > 0 ? (
        <section className={styles.section}>
          {locked ? (
            <h2>{openCount === 1 ? "A free photo" : `${openCount} free photos`}</h2>
          ) : (
            <h2>
              <VisuallyHidden>Photos</VisuallyHidden>
            </h2>
          )}
          <PhotoGrid mediaId={set.id} slug={set.slug} photos={photos} count={count} as={as} />
          {pages.shown ? <p className={styles.muted}>{pages.shown}</p> : null}
          <PageLinks
            previous={pages.previous}
            next={pages.next}
            previousLabel="← Previous photos"
            nextLabel="More photos →"
          />
        </section>
      ) : null}
      {locked ? (
        <section className={`${styles.section} ${openCount > 0 ? grid.rest : ""}`}>
          {openCount > 0 && restCount > 0 ? (
            <h2>{restCount === 1 ? "1 more photo" : `${restCount} more photos`}</h2>
          ) : null}
          <LockedPanel blur={blur} {...locked} />
        </section>
      ) : null}
      <RelatedSections {...related} />
      {lightbox}
    </Page>
  );
}
