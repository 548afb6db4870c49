import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData, useLocation, useNavigationType } from "@remix-run/react";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { formatDate } from "#app/dates.ts";
import { announceToOtherDevices } from "#app/domain/announcements/live-announcements.server.ts";
import { findRelated } from "#app/domain/catalog/lists/related.server.ts";
import { lockedPicture } from "#app/domain/catalog/media/picture-view.ts";
import { storedVideo, trailerUrl, videoContents } from "#app/domain/catalog/media/video-contents.server.ts";
import { COVER_WIDTHS, fileNames } from "#app/domain/media/renditions.ts";
import { parseStoppedAt, resumePoint } from "#app/domain/viewing/progress-rules.ts";
import { saveProgress } from "#app/domain/viewing/save-progress.server.ts";
import { paths } from "#app/paths.ts";
import { RelatedSections } from "#app/ui/catalog/related.tsx";
import { FavoriteAction } from "#app/ui/favorites/favorite-action.tsx";
import { clock } from "#app/ui/parts/clock.ts";
import { DownloadLink } from "#app/ui/parts/download-link.tsx";
import { MediaHeading } from "#app/ui/parts/media-heading.tsx";
import { StaffMark } from "#app/ui/parts/staff-mark.tsx";
import { useOpening } from "#app/ui/player/address.ts";
import { Chapters } from "#app/ui/player/chapters.tsx";
import { FreePhotos, OFFER, Offer } from "#app/ui/player/locked-offer.tsx";
import { LockedVideo } from "#app/ui/player/locked-video.tsx";
import { Player } from "#app/ui/player/player.tsx";
import styles from "#app/ui/player/watch.module.css";
import { ProgressLine } from "#app/ui/progress/progress-line.tsx";
import { StoppedAtForm } from "#app/ui/progress/stopped-at-form.tsx";
import { parseDescription } from "#app/ui/prose/markdown.ts";
import { ProseView } from "#app/ui/prose/prose-page.tsx";
import { field, readForm } from "#app/web/forms/form-body.server.ts";
import { findLockedOffer, findShootPreviews } from "#app/web/media/locked-offer.server.ts";
import { lockedPanel } from "#app/web/media/locked-panel.ts";
import { openMedia } from "#app/web/media/open-media.server.ts";
import { isPublicPage } from "#app/web/media/staff-mark.ts";
import type { PageHandle } from "#app/web/pages/page-cache.server.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { isMember, refusalStatus, requireAdult, requireMember } from "#app/web/session/guards.server.ts";

const pathOf = (slug: string) => paths.media("video", slug);

export const handle: PageHandle = { isSharedBySignedOut: isPublicPage };

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta({ title: data?.video.title, canonical: data && pathOf(data.video.slug) });

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requireAdult(request);
  const wanted = { type: "video", slug: params.slug ?? "", pathOf, part: () => storedVideo } as const;
  const [opened, { next, ...related }] = await Promise.all([
    openMedia(request, viewer, wanted),
    findRelated(viewer, wanted.type, wanted.slug),
  ]);
  const { media, decision, mayDownload, mayFavorite, seenBy, isOwnVisit, mark } = opened;
  const { id, slug, title, description, creators, tags, color, coverVersion, width, height, own } = media;
  const contents = decision.allowed ? videoContents(id, media.part) : null;
  const locked = lockedPanel(decision, media.access, seenBy, pathOf(slug));
  const [offer, photos] = locked
    ? await Promise.all([findLockedOffer(seenBy, media.access), findShootPreviews(seenBy, id)])
    : [{ plan: null, inside: null }, []];
  const seenSets = new Set(photos.map(({ setId }) => setId));
  const member = decision.allowed && isOwnVisit && isMember(viewer) ? viewer : null;
  const { searchParams } = new URL(request.url);
  const stoppedAt = resumePoint(own.progress);
  const seconds = media.durationSeconds ?? 0;
  return {
    video: {
      id,
      slug,
      title,
      description: parseDescription(description),
      creators,
      tags,
      width: width ?? 16,
      height: height ?? 9,
      seconds,
    },
    facts: [media.publishAt && formatDate(media.publishAt), clock(seconds)].filter((fact) => fact !== null),
    cover: paths.mediaFile(id, fileNames.cover(Math.max(...COVER_WIDTHS), "webp"), coverVersion ?? 0),
    blur: lockedPicture({ id, type: "video", color, coverVersion }),
    locked: locked && { ...locked, ...offer, photos, trailer: trailerUrl(id, media.part) },
    contents: contents && { ...contents, requestedSize: numberIn(searchParams.get("q")) },
    mayDownload,
    startAt: numberIn(searchParams.get("t")) ?? stoppedAt ?? 0,
    resumeAt: stoppedAt,
    isCompleted: own.progress?.isCompleted ?? false,
    isFavorited: own.isFavorited,
    mayFavorite,
    related: { ...related, shoot: related.shoot.filter((card) => !seenSets.has(card.id)) },
    next,
    mark,
    progressSubject: member && {
      mediaId: id,
      viewerId: member.user.id,
      serverNow: member.session.now.getTime(),
    },
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const viewer = await requireMember(request);
  const wanted = { type: "video", slug: params.slug ?? "", pathOf } as const;
  const { media, decision, isOwnVisit } = await openMedia(request, viewer, wanted);
  if (!decision.allowed) throw data(null, { status: refusalStatus(decision.reason) });
  // The same answer as /api/views.
  if (!isOwnVisit) throw data(null, { status: 404 });
  const typed = field(await readForm(request), "stoppedAt").slice(0, 20);
  const progress = parseStoppedAt(typed, media.durationSeconds ?? 0);
  if (progress === null) {
    return data(
      { typed, error: "Please type a time within the video in minutes and seconds, such as 12:40." },
      422,
    );
  }
  await saveProgress({ userId: viewer.user.id, mediaId: media.id, progress });
  announceToOtherDevices(viewer, "progress", media.id);
  return redirect(pathOf(media.slug), { status: 303 });
}

export default function VideoPage() {
  const { video, cover, facts, contents, locked, mark, ...own } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const opening = useOpening();
  const { state } = useLocation();
  // Going back to a page or reloading it restores its state.
  const isOpenedAnew = useNavigationType() === "PUSH";
  const player = useRef<HTMLVideoElement>(null);
  const media = { ...video, type: "video" } as const;
  useFocusOnOffer(video.id, contents !== null);
  const hasAside = (contents?.markers.length ?? 0) > 0;
  return (
    <div className={styles.watch}>
      {mark ? <StaffMark {...mark} here={pathOf(video.slug)} /> : null}
      <div className={styles.stage}>
        {contents ? (
          <Player
            key={opening}
            video={player}
            {...video}
            {...contents}
            artist={video.creators.map(({ name }) => name).join(", ")}
            poster={contents.poster ?? cover}
            next={own.next}
            startAt={own.startAt}
            progressSubject={own.progressSubject}
            playsAtOnce={isOpenedAnew && (state as { playsAtOnce?: boolean } | null)?.playsAtOnce === true}
          />
        ) : locked ? (
          <LockedVideo
            key={video.id}
            title={video.title}
            blur={own.blur}
            poster={cover}
            trailer={locked.trailer}
          />
        ) : null}
        <div className={hasAside ? `${styles.columns} ${styles.two}` : styles.columns}>
          <MediaHeading
            {...media}
            facts={facts}
            offer={locked && !contents ? <Offer {...locked} hasTrailer={locked.trailer !== null} /> : null}
            description={media.description.length > 0 && <ProseView prose={media.description} />}
            actions={
              <>
                {contents ? (
                  <OpeningProgress
                    key={opening}
                    media={media}
                    resumeAt={own.resumeAt}
                    isCompleted={own.isCompleted}
                  />
                ) : null}
                {own.mayFavorite ? <FavoriteAction media={media} isFavorited={own.isFavorited} /> : null}
                {own.mayDownload &&
                  contents?.sources.map(({ url, size, bytes }) => (
                    <DownloadLink key={url} url={url} size={`${size}p`} bytes={bytes} />
                  ))}
                {own.progressSubject ? (
                  <StoppedAtForm error={refused?.error} typed={refused?.typed ?? ""} />
                ) : null}
              </>
            }
          />
          {contents ? <Chapters video={player} markers={contents.markers} /> : null}
        </div>
      </div>
      {locked ? <FreePhotos photos={locked.photos} /> : null}
      <RelatedSections {...own.related} />
    </div>
  );
}

/** Fixed when the page opens, so that updates during playback do not move the content below. */
function OpeningProgress(progress: ComponentProps<typeof ProgressLine>) {
  const [opening] = useState(progress);
  return <ProgressLine {...opening} />;
}

function numberIn(text: string | null): number | null {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

/** When access ends, the player disappears with the focus in it, and a screen reader would not say why. */
function useFocusOnOffer(videoId: string, isOpen: boolean): void {
  const openId = useRef<string | null>(null);
  useEffect(() => {
    const isLost = document.activeElement?.matches("body, main") ?? true;
    if (openId.current === videoId && !isOpen && isLost) document.getElementById(OFFER)?.focus();
    openId.current = isOpen ? videoId : null;
  }, [videoId, isOpen]);
}
