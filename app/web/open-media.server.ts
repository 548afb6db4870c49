import { data, redirect } from "@remix-run/node";
import { accessTo, type Decision } from "#app/domain/billing/access.ts";
import { findMedia, type MediaRecord } from "#app/domain/catalog/media.server.ts";
import { type MediaType, paths } from "#app/paths.ts";
import type { Viewer } from "./viewer.server.ts";

/**
 * The media of a page and whether this viewer may view it. Throws 404 for what does not exist or is hidden, 410 for what
 * was withdrawn, and a redirect to `pathOf` the present slug, query included, from an old slug or from an address in
 * another case, which the router takes as well.
 */
export async function openMedia(
  viewer: Viewer,
  request: Request,
  type: MediaType,
  slug: string,
  pathOf: (slug: string) => string,
): Promise<{ media: MediaRecord; decision: Decision }> {
  const media = await findMedia(type, slug);
  if (media === null) throw data(null, { status: 404 });
  const seen = accessTo(viewer, media, "see");
  if (!seen.allowed) throw data(null, { status: seen.reason === "gone" ? 410 : 404 });
  const { pathname, search } = new URL(request.url);
  if (media.slug !== slug || !pathname.startsWith(paths.media(type, ""))) {
    throw redirect(pathOf(media.slug) + search, 301);
  }
  return { media, decision: accessTo(viewer, media, "view") };
}
