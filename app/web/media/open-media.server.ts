import { data, redirect } from "@remix-run/node";
import { type SQL, sql } from "drizzle-orm";
import { accessTo, type Decision } from "#app/domain/access/access.ts";
import { createSignedOutCache } from "#app/domain/catalog/media/cache.server.ts";
import { findMedia, type MediaRecord } from "#app/domain/catalog/media/media.server.ts";
import { site } from "#app/domain/site/site.server.ts";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { type MediaType, paths } from "#app/paths.ts";
import { refusalStatus } from "../session/guards.server.ts";
import { hasDraftLink } from "./draft-cookie.server.ts";
import { markFor, type StaffMark } from "./staff-mark.ts";
import { viewAsIn, viewerAs } from "./view-as.ts";

const sharedMedia = createSignedOutCache<{ found: MediaRecord | null }>();

interface WantedMedia<Part> {
  type: MediaType;
  slug: string;
  pathOf: (slug: string) => string;
  page?: number;
  /** One more column of a row `m` of media. */
  part?: (viewerId: string | undefined) => SQL<Part>;
}

interface OpenedMedia<Part> {
  media: MediaRecord & { part: Part };
  decision: Decision;
  mayDownload: boolean;
  /** The viewer, or the person that staff view it as. */
  seenBy: Viewer;
  /** False for staff who view it as somebody else, and for guests with a draft link. */
  isOwnVisit: boolean;
  mark: StaffMark | null;
  mayFavorite: boolean;
}

/** Throws a 404, a 410 for an item that was taken down, or a redirect for an old slug or other capitals. */
export async function openMedia<Part = null>(
  request: Request,
  viewer: Viewer,
  { type, slug, pathOf, page, part = () => sql<Part>`NULL` }: WantedMedia<Part>,
): Promise<OpenedMedia<Part>> {
  const { pathname, search } = new URL(request.url);
  const as = viewAsIn(viewer, request);
  const seenBy = viewerAs(viewer, as);
  const read = async () => ({ found: await findMedia(type, slug, seenBy.user?.id, part(seenBy.user?.id)) });
  // A path has one route, so the same page always has the same `part`, which the cache's type does not know.
  const { found } = (await sharedMedia(viewer, [pathname, page], read)) as Awaited<ReturnType<typeof read>>;
  if (found === null) throw data(null, { status: 404 });
  const media = await withDraftLink(viewer, request, found);
  const toSee = accessTo(viewer, media, "see");
  if (!toSee.allowed) throw data(null, { status: refusalStatus(toSee.reason) });
  const isCurrentAddress = media.slug === slug && pathname.startsWith(paths.media(type, ""));
  if (!isCurrentAddress) throw redirect(pathOf(media.slug) + search, 301);
  // An unpublished item is shown as it will be once it is published.
  const shown = as === null ? media : { ...media, isLive: true };
  return {
    media,
    decision: accessTo(seenBy, shown, "view"),
    mayDownload: accessTo(seenBy, shown, "download").allowed,
    seenBy,
    isOwnVisit: as === null && !media.isOpenByDraftLink,
    mark: markFor(viewer, media, as, site.timeZone),
    mayFavorite: !media.isOpenByDraftLink,
  };
}

/** Reads the table only for viewers who would not see the item otherwise. */
async function withDraftLink<Media extends MediaRecord>(
  viewer: Viewer,
  request: Request,
  media: Media,
): Promise<Media & { isOpenByDraftLink: boolean }> {
  const toSee = accessTo(viewer, media, "see");
  const isHidden = !toSee.allowed && toSee.reason === "hidden";
  return { ...media, isOpenByDraftLink: isHidden && (await hasDraftLink(request, media.id)) };
}
