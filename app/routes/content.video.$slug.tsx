import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { blurView, coverView } from "#app/domain/catalog/card-view.ts";
import { findVideoContents } from "#app/domain/catalog/contents.server.ts";
import { paths } from "#app/paths.ts";
import { clock } from "#app/ui/cards/length.ts";
import { LockedPanel } from "#app/ui/locked-panel.tsx";
import { MediaWords } from "#app/ui/media-words.tsx";
import { Page } from "#app/ui/page.tsx";
import { Player } from "#app/ui/player/player.tsx";
import { requireAdult } from "#app/web/guards.server.ts";
import { openMedia } from "#app/web/open-media.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";
import { teaserOf } from "#app/web/teaser.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta({ title: data?.video.title, canonical: data && paths.media("video", data.video.slug) });

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requireAdult(request);
  const { media, decision } = await openMedia(viewer, "video", params.slug ?? "", (slug) =>
    paths.media("video", slug),
  );
  const { id, slug, title, description, creators, tags, color, width, height } = media;
  const picture = { id, type: "video", color, alt: "" } as const;
  return {
    video: { slug, title, description, creators, tags, width: width ?? 16, height: height ?? 9 },
    poster: coverView(picture).src,
    blur: blurView(picture),
    teaser: teaserOf(decision, media.access, paths.media("video", slug)),
    contents: decision.allowed ? await findVideoContents(id) : null,
    startAt: startOf(new URL(request.url).searchParams.get("t")),
  };
}

export default function VideoPage() {
  const { video, poster, blur, teaser, contents, startAt } = useLoaderData<typeof loader>();
  return (
    <Page>
      {contents ? (
        <Player {...video} {...contents} poster={poster} startAt={startAt} />
      ) : teaser ? (
        <LockedPanel blur={blur} sentence={teaser.sentence} button={teaser.button} />
      ) : null}
      <MediaWords {...video} type="video" />
      {contents && contents.markers.length > 0 ? (
        <section>
          <h2>Chapters</h2>
          <ol>
            {contents.markers.map(({ atSeconds, title }) => (
              <li key={atSeconds}>
                <Link to={`?t=${Math.floor(atSeconds)}`} preventScrollReset>
                  {clock(atSeconds)} {title}
                </Link>
              </li>
            ))}
          </ol>
        </section>
      ) : null}
    </Page>
  );
}

/** Whole seconds; anything else starts at the beginning. */
function startOf(text: string | null): number {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : 0;
}
