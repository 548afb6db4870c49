import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type ComponentProps, useState } from "react";
import { announceToOtherDevices } from "#app/domain/announcements/live-announcements.server.ts";
import { findRelated } from "#app/domain/catalog/lists/related.server.ts";
import { storedVideo, videoContents } from "#app/domain/catalog/media/contents.server.ts";
import { lockedPicture } from "#app/domain/catalog/media/picture-view.ts";
import { COVER_WIDTHS, fileNames } from "#app/domain/media/renditions.ts";
import { parseStoppedAt, resumePoint } from "#app/domain/viewing/progress-rules.ts";
import { saveProgress } from "#app/domain/viewing/save-progress.server.ts";
import { paths } from "#app/paths.ts";
import { RelatedSections } from "#app/ui/catalog/related.tsx";
import { FavoriteAction } from "#app/ui/favorites/favorite-action.tsx";
import { DownloadLink } from "#app/ui/parts/download-link.tsx";
import { LockedPanel } from "#app/ui/parts/locked-panel.tsx";
import { MediaHeading } from "#app/ui/parts/media-heading.tsx";
import { Page } from "#app/ui/parts/page.tsx";
import { StaffMark } from "#app/ui/parts/staff-mark.tsx";
import { Chapters, QualityLinks, useOpening } from "#app/ui/player/playback-links.tsx";
import styles from "#app/ui/player/player.module.css";
import { Player } from "#app/ui/player/player.tsx";
import { KeyboardHelp } from "#app/ui/player/player-keys.tsx";
import { ProgressLine } from "#app/ui/progress/progress-line.tsx";
import { StoppedAtForm } from "#app/ui/progress/stopped-at-form.tsx";
import { parseDescription } from "#app/ui/prose/markdown.ts";
import { ProseView } from "#app/ui/prose/prose-page.tsx";
import { field, readForm } from "#app/web/forms/form-body.server.ts";
import { lockedPanel } from "#app/web/media/locked-panel.ts";
import { openMedia } from "#app/web/media/open-media.server.ts";
import { isPublicPage } from "#app/web/media/staff-mark.ts";
import type { PageHandle } from "#app/web/pages/page-cache.server.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { refusalStatus, requireAdult, requireMember } from "#app/web/session/guards.server.ts";

const pathOf = (slug: string) => paths.media("video", slug);

export const handle: PageHandle = { isSharedBySignedOut: isPublicPage };

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta({ title: data?.video.title, canonical: data && pathOf(data.video.slug) });

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requireAdult(request);
  const wanted = { type: "video", slug: params.slug ?? "", pathOf, part: storedVideo } as const;
  const [{ media, decision, mayDownload, eyes, isOwnVisit, mark }, related] = await Promise.all([
    openMedia(request, viewer, wanted),
    findRelated(viewer, wanted.type, wanted.slug),
  ]);
  const { id, slug, title, description, creators, tags, color, coverVersion, width, height, own } = media;
  const contents = decision.allowed ? videoContents(id, media.part) : null;
  const userId = isOwnVisit ? (viewer.user?.id ?? null) : null;
  const { searchParams } = new URL(request.url);
  const stoppedAt = resumePoint(own.progress);
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
    },
    cover: paths.mediaFile(id, fileNames.cover(Math.max(...COVER_WIDTHS), "webp"), coverVersion ?? 0),
    blur: lockedPicture({ id, type: "video", color, coverVersion }),
    locked: lockedPanel(decision, media.access, eyes, pathOf(slug)),
    contents: contents && withFirst(contents, Number(searchParams.get("q"))),
    mayDownload,
    startAt: secondsIn(searchParams.get("t")) ?? stoppedAt ?? 0,
    resumeAt: stoppedAt,
    isCompleted: own.progress?.isCompleted ?? false,
    isFavorited: own.isFavorited,
    related,
    mark,
    progress:
      userId && viewer.session
        ? { mediaId: id, viewerId: userId, serverNow: viewer.session.now.getTime() }
        : null,
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const viewer = await requireMember(request);
  const wanted = { type: "video", slug: params.slug ?? "", pathOf } as const;
  const { media, decision, isOwnVisit } = await openMedia(request, viewer, wanted);
  if (!decision.allowed) throw data(null, { status: refusalStatus(decision.reason) });
  // As /api/views answers for what is not public.
  if (!isOwnVisit) throw data(null, { status: 404 });
  const typed = field(await readForm(request), "stoppedAt").slice(0, 20);
  const progress = parseStoppedAt(typed, media.durationSeconds ?? 0);
  if (progress === null) {
    return data({ typed, problem: "Please write minutes and seconds inside the video, as in 12:40." }, 422);
  }
  await saveProgress({ userId: viewer.user.id, mediaId: media.id, progress });
  announceToOtherDevices(viewer, "progress", media.id);
  return redirect(pathOf(media.slug), { status: 303 });
}

export default function VideoPage() {
  const { video, cover, blur, locked, contents, mark, ...own } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const opening = useOpening();
  const media = { ...video, type: "video" } as const;
  return (
    <Page>
      {mark ? <StaffMark {...mark} here={pathOf(video.slug)} /> : null}
      {contents ? (
        <div>
          <Player
            key={opening}
            {...video}
            {...contents}
            poster={contents.poster ?? cover}
            startAt={own.startAt}
            progress={own.progress}
          />
          <div className={styles.below}>
            <OpeningProgress
              key={opening}
              media={media}
              resumeAt={own.resumeAt}
              isCompleted={own.isCompleted}
            />
            <QualityLinks {...contents} />
            <KeyboardHelp />
          </div>
          {own.progress ? <StoppedAtForm problem={refused?.problem} typed={refused?.typed ?? ""} /> : null}
        </div>
      ) : locked ? (
        <LockedPanel blur={blur} {...locked} />
      ) : null}
      <MediaHeading
        {...media}
        description={media.description.length > 0 && <ProseView prose={media.description} />}
        actions={
          <>
            <FavoriteAction media={media} isFavorited={own.isFavorited} />
            {own.mayDownload &&
              contents?.sources.map(({ url, quality, bytes }) => (
                <DownloadLink key={url} url={url} size={`${quality}p`} bytes={bytes} />
              ))}
          </>
        }
      />
      {contents ? <Chapters markers={contents.markers} /> : null}
      <RelatedSections {...own.related} />
    </Page>
  );
}

/** Fixed when the page opens: updates during playback must not move the content below. */
function OpeningProgress(progress: ComponentProps<typeof ProgressLine>) {
  const [opening] = useState(progress);
  return <ProgressLine {...opening} />;
}

/** The chosen quality comes first: browsers play the first source that they can. */
function withFirst<Contents extends { sources: { quality: number }[] }>(
  contents: Contents,
  requested: number,
) {
  const qualities = contents.sources.map(({ quality }) => quality);
  const chosen = qualities.find((quality) => quality === requested) ?? qualities[0] ?? 0;
  const isChosen = ({ quality }: { quality: number }) => quality === chosen;
  const sources: Contents["sources"] = [
    ...contents.sources.filter(isChosen),
    ...contents.sources.filter((source) => !isChosen(source)),
  ];
  return { ...contents, sources, qualities, chosen };
}

function secondsIn(text: string | null): number | null {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}
