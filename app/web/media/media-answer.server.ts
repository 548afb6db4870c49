import { accessTo, type Decision, isStaff } from "#app/domain/access/access.ts";
import {
  findAvatarFile,
  findCreatorFile,
  findMediaFile,
  type ServedFile,
} from "#app/domain/catalog/media/served-file.server.ts";
import type { Viewer } from "../session/viewer.server.ts";
import { accessStatus } from "./access-status.ts";

type Answer = { status: 403 | 404 | 410 } | { status: 200; file: ServedFile; isTeaser: boolean };

const FORBIDDEN: Answer = { status: 403 };
const MISSING: Answer = { status: 404 };

export async function mediaAnswer(viewer: Viewer, path: string, isDownload: boolean): Promise<Answer> {
  if (!viewer.isAdult) return FORBIDDEN;
  const [first = "", second = "", third, ...rest] = path.split("/");
  if (rest.length > 0) return MISSING;
  if (third === undefined) return mediaFileAnswer(viewer, first, second, isDownload);
  if (first === "creators") return creatorFileAnswer(viewer, second, third);
  if (first !== "avatars") return MISSING;
  if (viewer.user?.id !== second) return FORBIDDEN;
  const file = await findAvatarFile(second, third);
  return file ? { status: 200, file, isTeaser: false } : MISSING;
}

async function mediaFileAnswer(
  viewer: Viewer,
  id: string,
  name: string,
  isDownload: boolean,
): Promise<Answer> {
  const found = await findMediaFile(id, name);
  if (!found) return MISSING;
  const { file, needs, media } = found;
  const allowed = firstRefusal([
    accessTo(viewer, media, needs),
    ...(isDownload ? [accessTo(viewer, media, "download")] : []),
  ]);
  if (!allowed.allowed) return { status: accessStatus(allowed.reason) };
  return { status: 200, file, isTeaser: needs === "see" && media.isLive && !media.isWithdrawn };
}

async function creatorFileAnswer(viewer: Viewer, creatorId: string, name: string): Promise<Answer> {
  const found = await findCreatorFile(creatorId, name);
  if (!found || (!found.isPublic && !isStaff(viewer))) return MISSING;
  return { status: 200, file: found.file, isTeaser: found.isPublic };
}

function firstRefusal(decisions: Decision[]): Decision {
  return decisions.find(({ allowed }) => !allowed) ?? { allowed: true };
}
