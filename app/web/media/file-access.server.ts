import { accessTo, type Decision } from "#app/domain/access/access.ts";
import { createDecisionCache } from "#app/domain/announcements/decision-cache.server.ts";
import {
  findAvatarFile,
  findCreatorFile,
  findMediaFile,
  type MediaFile,
  type ServedFile,
} from "#app/domain/catalog/media/served-file.server.ts";
import { hasRight } from "#app/domain/staff/rights.ts";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { findViewerNow, refusalStatus } from "../session/guards.server.ts";
import type { Grant } from "./deliver.server.ts";
import { holdSlotForPart, takeVideoSlot } from "./video-slot.server.ts";

export interface FileRequest {
  /** The address below `/media/`: `<media id>/<name>`, `creators/<id>/<name>` or `avatars/<user id>/<name>`. */
  path: string;
  isDownload: boolean;
  /** Whether the viewer has a link to this draft. */
  hasDraftLink: (mediaId: string) => Promise<boolean>;
}

type CreatorFile = NonNullable<Awaited<ReturnType<typeof findCreatorFile>>>;

export interface FileFinders {
  findMediaFile: (mediaId: string, name: string) => Promise<MediaFile | null>;
  findCreatorFile: (creatorId: string, name: string) => Promise<CreatorFile | null>;
}

type FileDecision = { status: 403 | 404 | 410 } | { status: 200; file: ServedFile; isTeaser: boolean };

const FORBIDDEN: FileDecision = { status: 403 };
const MISSING: FileDecision = { status: 404 };

const NOW: FileFinders = { findMediaFile, findCreatorFile };

const recentMediaFile = createDecisionCache<MediaFile>(({ mediaId }) => [`media ${mediaId}`]);
/** Nothing announces a change to a creator's pictures; five seconds are recent enough for them. */
const recentCreatorFile = createDecisionCache<CreatorFile>(() => []);

/** Finds files as they were at most five seconds ago (ACCESS_MAX_AGE_MS). */
export const RECENTLY: FileFinders = {
  findMediaFile: (id, name) => recentMediaFile(`${id}/${name}`, () => findMediaFile(id, name)),
  findCreatorFile: (id, name) => recentCreatorFile(`${id}/${name}`, () => findCreatorFile(id, name)),
};

/** 403: not for this viewer. 404: unknown or hidden. 410: taken down. */
export async function decideFile(
  viewer: Viewer,
  { path, isDownload, hasDraftLink }: FileRequest,
  find: FileFinders = NOW,
): Promise<FileDecision> {
  if (!viewer.isAdult) return FORBIDDEN;
  const [first = "", second = "", third, ...rest] = path.split("/");
  if (rest.length > 0) return MISSING;
  if (third === undefined) {
    const decision = decideMediaFile(viewer, await find.findMediaFile(first, second), isDownload);
    if (decision.status !== 404 || !(await hasDraftLink(first))) return decision;
    // A cached file may be from before the item was a draft.
    return decideMediaFile(viewer, await findMediaFile(first, second), isDownload, true);
  }
  if (first === "creators") return decideCreatorFile(viewer, await find.findCreatorFile(second, third));
  if (first !== "avatars") return MISSING;
  if (viewer.user?.id !== second) return FORBIDDEN;
  const file = await findAvatarFile(second, third);
  return file ? { status: 200, file, isTeaser: false } : MISSING;
}

function decideMediaFile(
  viewer: Viewer,
  found: MediaFile | null,
  isDownload: boolean,
  isOpenByDraftLink = false,
): FileDecision {
  if (!found) return MISSING;
  const { file, needs } = found;
  const media = { ...found.media, isOpenByDraftLink };
  const allowed = firstRefusal([
    accessTo(viewer, media, needs),
    ...(isDownload ? [accessTo(viewer, media, "download")] : []),
  ]);
  if (!allowed.allowed) return { status: refusalStatus(allowed.reason) };
  return { status: 200, file, isTeaser: needs === "see" && media.isLive && !media.isTakenDown };
}

function decideCreatorFile(viewer: Viewer, found: CreatorFile | null): FileDecision {
  if (!found || (!found.isPublic && !hasRight(viewer, "media.edit"))) return MISSING;
  return { status: 200, file: found.file, isTeaser: found.isPublic };
}

/** The grant that follows from a decision of decideFile(). */
export function grantTo(
  viewer: Viewer,
  wanted: FileRequest,
  request: Request,
  { isTeaser }: { isTeaser: boolean },
): Grant {
  return {
    isTeaser,
    isDownload: wanted.isDownload,
    check: async () => (await decideFile(await findViewerNow(request), wanted)).status === 200,
    takeSlot: (form) => takeVideoSlot(request, viewer, form),
    holdForPart: () => holdSlotForPart(request, viewer, wanted.path),
  };
}

function firstRefusal(decisions: Decision[]): Decision {
  return decisions.find(({ allowed }) => !allowed) ?? { allowed: true };
}
