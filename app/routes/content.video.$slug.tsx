import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type ComponentProps, useState } from "react";
import { accessTo } from "#app/domain/billing/access.ts";
import { findAround } from "#app/domain/catalog/around.server.ts";
import { blurView } from "#app/domain/catalog/card-view.ts";
import { findVideoContents } from "#app/domain/catalog/contents.server.ts";
import { isFavorite } from "#app/domain/favorites/favorites.server.ts";
import { COVER_WIDTHS, fileNames } from "#app/domain/media/renditions.ts";
import { parseStoppedAt, resumeAt } from "#app/domain/viewing/place.ts";
import { findPlace } from "#app/domain/viewing/places.server.ts";
import { savePlace } from "#app/domain/viewing/save-place.server.ts";
import { paths } from "#app/paths.ts";
import { LockedPanel } from "#app/ui/locked-panel.tsx";
import { MediaWords } from "#app/ui/media-words.tsx";
import { Page } from "#app/ui/page.tsx";
import { Chapters } from "#app/ui/player/chapters.tsx";
import { Downloads } from "#app/ui/player/downloads.tsx";
import { KeyboardHelp } from "#app/ui/player/keyboard-help.tsx";
import styles from "#app/ui/player/player.module.css";
import { Player } from "#app/ui/player/player.tsx";
import { QualityLinks } from "#app/ui/player/quality-links.tsx";
import { StoppedAtForm } from "#app/ui/player/stopped-at-form.tsx";
import { useOpening } from "#app/ui/player/use-opening.ts";
import { AroundSections } from "#app/ui/viewing/around.tsx";
import { FavoriteAction } from "#app/ui/viewing/media-actions.tsx";
import { PlaceLine } from "#app/ui/viewing/place-line.tsx";
import { field, readForm } from "#app/web/form-body.server.ts";
import { requireAdult, requireMember } from "#app/web/guards.server.ts";
import { limitWrites } from "#app/web/limits.server.ts";
import { openMedia } from "#app/web/open-media.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";
import { teaserOf } from "#app/web/teaser.ts";

const pathOf = (slug: string) => paths.media("video", slug);

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta({ title: data?.video.title, canonical: data && pathOf(data.video.slug) });

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requireAdult(request);
  const { media, decision } = await openMedia(viewer, request, "video", params.slug ?? "", pathOf);
  const { id, slug, title, description, creators, tags, color, width, height } = media;
  const userId = viewer.user?.id ?? null;
  const [contents, place, isFavorited, around] = await Promise.all([
    decision.allowed ? findVideoContents(id) : null,
    userId ? findPlace(userId, id) : null,
    userId ? isFavorite(userId, id) : null,
    findAround(viewer, media),
  ]);
  const { searchParams } = new URL(request.url);
  const stoppedAt = resumeAt(place);
  const picture = { id, type: "video", color, alt: "" } as const;
  return {
    video: { id, slug, title, description, creators, tags, width: width ?? 16, height: height ?? 9 },
    cover: paths.mediaFile(id, fileNames.cover(Math.max(...COVER_WIDTHS), "webp")),
    blur: blurView(picture),
    teaser: teaserOf(decision, media.access, viewer, pathOf(slug)),
    contents: contents && withFirst(contents, Number(searchParams.get("q"))),
    mayDownload: accessTo(viewer, media, "download").allowed,
    startAt: secondsIn(searchParams.get("t")) ?? stoppedAt ?? 0,
    resumeAt: stoppedAt,
    isCompleted: place?.isCompleted ?? false,
    isFavorited,
    around,
    place: userId ? { mediaId: id, viewerId: userId, serverNow: Date.now() } : null,
  };
}

/** "I stopped at", for browsers without JavaScript. */
export async function action({ request, params }: ActionFunctionArgs) {
  const viewer = await requireMember(request);
  await limitWrites(viewer.user.id);
  const { media, decision } = await openMedia(viewer, request, "video", params.slug ?? "", pathOf);
  if (!decision.allowed) throw data(null, { status: 403 });
  const typed = field(await readForm(request), "stoppedAt").slice(0, 20);
  const progress = parseStoppedAt(typed, media.durationSeconds ?? 0);
  if (progress === null) {
    return data({ typed, problem: "Please write minutes and seconds inside the film, as in 12:40." }, 422);
  }
  await savePlace({ userId: viewer.user.id, mediaId: media.id, progress });
  return redirect(pathOf(media.slug), { status: 303 });
}

export default function VideoPage() {
  const { video, cover, blur, teaser, contents, ...own } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const opening = useOpening();
  const media = { ...video, type: "video" } as const;
  return (
    <Page>
      {contents ? (
        <div>
          <Player
            key={opening}
            {...video}
            {...contents}
            poster={contents.poster ?? cover}
            startAt={own.startAt}
            place={own.place}
          />
          <div className={styles.below}>
            <OpeningPlace key={opening} media={media} resumeAt={own.resumeAt} isCompleted={own.isCompleted} />
            <QualityLinks {...contents} />
            <KeyboardHelp />
          </div>
          {own.place ? <StoppedAtForm problem={refused?.problem} typed={refused?.typed ?? ""} /> : null}
        </div>
      ) : teaser ? (
        <LockedPanel blur={blur} {...teaser} />
      ) : null}
      <MediaWords
        {...media}
        actions={
          <>
            <FavoriteAction media={media} isFavorited={own.isFavorited} />
            {own.mayDownload && contents ? <Downloads sources={contents.sources} /> : null}
          </>
        }
      />
      {contents ? <Chapters markers={contents.markers} /> : null}
      <AroundSections {...own.around} />
    </Page>
  );
}

/** As it was when the page opened: what is played since must not move what stands below, the favorite button among it. */
function OpeningPlace(place: ComponentProps<typeof PlaceLine>) {
  const [opening] = useState(place);
  return <PlaceLine {...opening} />;
}

/** The chosen height first: browsers play the first source that they can. */
function withFirst<Contents extends { sources: { height: number }[] }>(contents: Contents, asked: number) {
  const heights = contents.sources.map(({ height }) => height);
  const chosen = heights.find((height) => height === asked) ?? heights[0] ?? 0;
  const isChosen = ({ height }: { height: number }) => height === chosen;
  const sources: Contents["sources"] = [
    ...contents.sources.filter(isChosen),
    ...contents.sources.filter((source) => !isChosen(source)),
  ];
  return { ...contents, sources, heights, chosen };
}

/** Whole seconds; null for anything else. */
function secondsIn(text: string | null): number | null {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}
