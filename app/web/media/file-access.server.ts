import {
  ACCESS_MAX_AGE_MS,
  type AccessMedia,
  type AccessRefusal,
  accessTo,
  type Right,
  SEGMENT_ACCESS_MAX_AGE_MS,
} from "#app/domain/access/access.ts";
import { createDecisionCache } from "#app/domain/announcements/decision-cache.server.ts";
import {
  type CreatorFile,
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
import { startSending } from "./running-videos.server.ts";

export interface WantedFile {
  path: string;
  isDownload: boolean;
  hasDraftLink: (mediaId: string) => Promise<boolean>;
}

export interface FileFinders {
  findMediaFile: typeof findMediaFile;
  findCreatorFile: typeof findCreatorFile;
}

type FileDecision = { status: 403 | 404 | 410 } | { status: 200; file: ServedFile; isTeaser: boolean };

const FORBIDDEN: FileDecision = { status: 403 };
const MISSING: FileDecision = { status: 404 };

export const CURRENT_FILES: FileFinders = { findMediaFile, findCreatorFile };

const recentMediaFile = createDecisionCache<MediaFile>(({ mediaId }) => [`media ${mediaId}`]);
/** Nothing announces a change to a creator's pictures. Five seconds are recent enough. */
const recentCreatorFile = createDecisionCache<CreatorFile>(() => []);

export const RECENT_FILES = filesAtMost(ACCESS_MAX_AGE_MS);
export const RECENT_SEGMENTS = filesAtMost(SEGMENT_ACCESS_MAX_AGE_MS);

function filesAtMost(maxAgeMs: number): FileFinders {
  return {
    findMediaFile: (id, name, version) =>
      recentMediaFile(`${id}/${version}/${name}`, () => findMediaFile(id, name, version), maxAgeMs),
    findCreatorFile: (id, name) =>
      recentCreatorFile(`${id}/${name}`, () => findCreatorFile(id, name), maxAgeMs),
  };
}

/** 403: not for this viewer. 404: unknown or hidden. 410: taken down. */
export async function decideFile(
  viewer: Viewer,
  { path, isDownload, hasDraftLink }: WantedFile,
  find: FileFinders = CURRENT_FILES,
): Promise<FileDecision> {
  if (!viewer.isAdult) return FORBIDDEN;
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  const [kind = "", id = "", ...rest] = parts;
  if (rest.length > 0) return MISSING;
  if (kind === "creators") return decideCreatorFile(viewer, await find.findCreatorFile(id, name));
  if (kind === "avatars") return decideAvatarFile(viewer, id, name);
  const version = parts.length === 1 ? 0 : parseVersion(id);
  if (version === null) return MISSING;
  return decideMedia(viewer, { mediaId: kind, name, version }, { isDownload, hasDraftLink }, find);
}

/** Each file has one address, so 0 and leading zeros are invalid. */
function parseVersion(part: string): number | null {
  return /^[1-9]\d{0,8}$/.test(part) ? Number(part) : null;
}

async function decideMedia(
  viewer: Viewer,
  { mediaId, name, version }: { mediaId: string; name: string; version: number },
  { isDownload, hasDraftLink }: Omit<WantedFile, "path">,
  find: FileFinders,
): Promise<FileDecision> {
  const decision = decideMediaFile(viewer, await find.findMediaFile(mediaId, name, version), { isDownload });
  if (decision.status !== 404 || !(await hasDraftLink(mediaId))) return decision;
  // A cached file may be from before the item was a draft.
  const draft = await findMediaFile(mediaId, name, version);
  return decideMediaFile(viewer, draft, { isDownload, isOpenByDraftLink: true });
}

function decideMediaFile(
  viewer: Viewer,
  found: MediaFile | null,
  { isDownload, isOpenByDraftLink = false }: { isDownload: boolean; isOpenByDraftLink?: boolean },
): FileDecision {
  if (!found) return MISSING;
  const { file, needs } = found;
  const media = { ...found.media, isOpenByDraftLink };
  const refusal = firstRefusal(viewer, media, isDownload ? [needs, "download"] : [needs]);
  if (refusal !== null) return { status: refusalStatus(refusal) };
  return { status: 200, file, isTeaser: needs === "see" && media.isLive && !media.isTakenDown };
}

function firstRefusal(viewer: Viewer, media: AccessMedia, rights: Right[]): AccessRefusal | null {
  for (const right of rights) {
    const decision = accessTo(viewer, media, right);
    if (!decision.allowed) return decision.reason;
  }
  return null;
}

function decideCreatorFile(viewer: Viewer, found: CreatorFile | null): FileDecision {
  if (!found || (!found.isPublic && !hasRight(viewer, "media.edit"))) return MISSING;
  return { status: 200, file: found.file, isTeaser: found.isPublic };
}

async function decideAvatarFile({ user }: Viewer, userId: string, name: string): Promise<FileDecision> {
  if (user?.id !== userId) return FORBIDDEN;
  const file = await findAvatarFile(userId, name);
  return file ? { status: 200, file, isTeaser: false } : MISSING;
}

export function grantOf(
  request: Request,
  viewer: Viewer,
  wanted: WantedFile,
  { isTeaser }: { isTeaser: boolean },
): Grant {
  return {
    isTeaser,
    isDownload: wanted.isDownload,
    hasAccess: async () => (await decideFile(await findViewerNow(request), wanted)).status === 200,
    startSending: (video) =>
      startSending(request, viewer, { ...video, item: wanted.path.split("/")[0] ?? "" }),
  };
}
