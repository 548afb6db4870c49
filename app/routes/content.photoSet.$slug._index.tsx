import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { blurView } from "#app/domain/catalog/card-view.ts";
import { listPhotos } from "#app/domain/catalog/contents.server.ts";
import { paths } from "#app/paths.ts";
import { LockedPanel } from "#app/ui/locked-panel.tsx";
import { MediaWords } from "#app/ui/media-words.tsx";
import { Page } from "#app/ui/page.tsx";
import { PhotoGrid } from "#app/ui/photos/photo-grid.tsx";
import { requireAdult } from "#app/web/guards.server.ts";
import { openMedia } from "#app/web/open-media.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";
import { teaserOf } from "#app/web/teaser.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta({ title: data?.set.title, canonical: data && paths.media("photoSet", data.set.slug) });

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requireAdult(request);
  const { media, decision } = await openMedia(viewer, "photoSet", params.slug ?? "", (slug) =>
    paths.media("photoSet", slug),
  );
  const { id, slug, title, description, creators, tags, color } = media;
  return {
    set: { slug, title, description, creators, tags },
    blur: blurView({ id, type: "photoSet", color, alt: "" }),
    teaser: teaserOf(decision, media.access, paths.media("photoSet", slug)),
    photos: await listPhotos(id, decision.allowed),
  };
}

export default function PhotoSetPage() {
  const { set, blur, teaser, photos } = useLoaderData<typeof loader>();
  return (
    <Page>
      <MediaWords {...set} type="photoSet" />
      {teaser ? <LockedPanel blur={blur} sentence={teaser.sentence} button={teaser.button} /> : null}
      <PhotoGrid slug={set.slug} photos={photos} />
    </Page>
  );
}
