import { data, redirect } from "@remix-run/node";
import { type SQL, sql } from "drizzle-orm";
import { accessTo, type Decision } from "#app/domain/access/access.ts";
import { createSignedOutCache } from "#app/domain/catalog/lists/cache.server.ts";
import { findMedia, type MediaRecord } from "#app/domain/catalog/media/media.server.ts";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { type MediaType, paths } from "#app/paths.ts";
import { accessStatus } from "../session/guards.server.ts";

const shared = createSignedOutCache<{ found: MediaRecord | null }>();

interface WantedMedia<Part> {
  type: MediaType;
  slug: string;
  pathOf: (slug: string) => string;
  part?: SQL<Part>;
}

/** Throws a 404, a 410 for media that was taken down, and a redirect to the current slug for an old one or another case. */
export async function openMedia<Part = null>(
  viewer: Viewer,
  request: Request,
  { type, slug, pathOf, part = sql<Part>`NULL` }: WantedMedia<Part>,
): Promise<{ media: MediaRecord & { part: Part }; decision: Decision }> {
  const { pathname, search } = new URL(request.url);
  const read = async () => ({ found: await findMedia(type, slug, viewer.user?.id, part) });
  // The path decides on the route, and so on `part`.
  const { found: media } = (await shared(viewer, [pathname], read)) as Awaited<ReturnType<typeof read>>;
  if (media === null) throw data(null, { status: 404 });
  const seen = accessTo(viewer, media, "see");
  if (!seen.allowed) throw data(null, { status: accessStatus(seen.reason) });
  if (media.slug !== slug || !pathname.startsWith(paths.media(type, ""))) {
    throw redirect(pathOf(media.slug) + search, 301);
  }
  return { media, decision: accessTo(viewer, media, "view") };
}
