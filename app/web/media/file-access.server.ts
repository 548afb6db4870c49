import { accessTo, type Decision, isStaff } from "#app/domain/access/access.ts";
import {
  findAvatarFile,
  findCreatorFile,
  findMediaFile,
  type ServedFile,
} from "#app/domain/catalog/media/served-file.server.ts";
import type { Viewer } from "../session/viewer.ts";
import { accessStatus } from "./access-status.ts";

export interface FileRequest {
  /** Below `/media/`. */
  path: string;
  isDownload: boolean;
}

type FileDecision = { status: 403 | 404 | 410 } | { status: 200; file: ServedFile; isTeaser: boolean };

const FORBIDDEN: FileDecision = { status: 403 };
const MISSING: FileDecision = { status: 404 };

/** `isTeaser`: everyone past the age gate may see the file. */
export async function decideFile(viewer: Viewer, { path, isDownload }: FileRequest): Promise<FileDecision> {
  if (!viewer.isAdult) return FORBIDDEN;
  const [first = "", second = "", third, ...rest] = path.split("/");
  if (rest.length > 0) return MISSING;
  if (third === undefined) return decideMediaFile(viewer, first, second, isDownload);
  if (first === "creators") return decideCreatorFile(viewer, second, third);
  if (first !== "avatars") return MISSING;
  if (viewer.user?.id !== second) return FORBIDDEN;
  const file = await findAvatarFile(second, third);
  return file ? { status: 200, file, isTeaser: false } : MISSING;
}

async function decideMediaFile(
  viewer: Viewer,
  id: string,
  name: string,
  isDownload: boolean,
): Promise<FileDecision> {
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

async function decideCreatorFile(viewer: Viewer, creatorId: string, name: string): Promise<FileDecision> {
  const found = await findCreatorFile(creatorId, name);
  if (!found || (!found.isPublic && !isStaff(viewer))) return MISSING;
  return { status: 200, file: found.file, isTeaser: found.isPublic };
}

function firstRefusal(decisions: Decision[]): Decision {
  return decisions.find(({ allowed }) => !allowed) ?? { allowed: true };
}
