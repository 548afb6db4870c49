import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { blurView } from "#app/domain/catalog/card-view.ts";
import { findPhoto } from "#app/domain/catalog/contents.server.ts";
import { paths } from "#app/paths.ts";
import { LockedPanel } from "#app/ui/locked-panel.tsx";
import { Page } from "#app/ui/page.tsx";
import styles from "#app/ui/photos/photo-page.module.css";
import { Picture } from "#app/ui/photos/picture.tsx";
import { requireAdult } from "#app/web/guards.server.ts";
import { openMedia } from "#app/web/open-media.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";
import { teaserOf } from "#app/web/teaser.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta({ title: data && `${data.title}, ${data.number} of ${data.count}`, robots: "noindex" });

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requireAdult(request);
  const asked = params.n ?? "";
  const { media, decision } = await openMedia(viewer, "photoSet", params.slug ?? "", (slug) =>
    paths.photo(slug, Number.parseInt(asked, 10) || 1),
  );
  const { id, slug, title, color } = media;
  const count = media.photoCount ?? 0;
  const number = Math.min(Math.max(Number.parseInt(asked, 10) || 1, 1), Math.max(count, 1));
  if (String(number) !== asked) throw redirect(paths.photo(slug, number));

  const photo = await findPhoto(id, number, decision.allowed);
  return {
    slug,
    title,
    number,
    count,
    picture: photo?.picture ?? null,
    blur: blurView({ id, type: "photoSet", color, alt: "" }),
    teaser: teaserOf(decision, media.access, paths.photo(slug, number)),
  };
}

export default function PhotoPage() {
  const { slug, title, number, count, picture, blur, teaser } = useLoaderData<typeof loader>();
  return (
    <Page>
      {picture ? (
        <Picture picture={picture} sizes="100vw" priority className={styles.photo} />
      ) : teaser ? (
        <LockedPanel blur={blur} sentence={teaser.sentence} button={teaser.button} />
      ) : null}
      <nav className={styles.controls} aria-label="Photos">
        {number > 1 ? <Link to={paths.photo(slug, number - 1)}>Previous</Link> : <span />}
        <h1 className={styles.place}>
          <Link to={paths.media("photoSet", slug)}>{title}</Link>, {number} of {count}
        </h1>
        {number < count ? <Link to={paths.photo(slug, number + 1)}>Next</Link> : <span />}
      </nav>
    </Page>
  );
}
