import { accessTo, type Decision } from "#app/domain/billing/access.ts";
import {
  findAvatarFile,
  findCreatorFile,
  findMediaFile,
  type ServedFile,
} from "#app/domain/media/delivery/served-file.server.ts";
import type { Viewer } from "./viewer.server.ts";

type Answer = { status: 403 | 404 | 410 } | { status: 200; file: ServedFile; isTeaser: boolean };

const STATUS = { gate: 403, gone: 410, hidden: 404 } as const;
const FORBIDDEN: Answer = { status: 403 };
const MISSING: Answer = { status: 404 };

/** Decides on one path below /media/. Asked again while a stream runs. */
export async function mediaAnswer(viewer: Viewer, path: string, isDownload: boolean): Promise<Answer> {
  if (!viewer.isAdult) return FORBIDDEN;
  const [first = "", second = "", third, ...rest] = path.split("/");
  if (rest.length > 0) return MISSING;
  if (third === undefined) return mediaFileAnswer(viewer, first, second, isDownload);
  if (first === "creators") return teaser(await findCreatorFile(second, third));
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
  if (!allowed.allowed) return { status: refusalStatus(allowed.reason) };
  return { status: 200, file, isTeaser: needs === "see" && media.isLive && !media.isWithdrawn };
}

function teaser(file: ServedFile | null): Answer {
  return file ? { status: 200, file, isTeaser: true } : MISSING;
}

function firstRefusal(decisions: Decision[]): Decision {
  return decisions.find(({ allowed }) => !allowed) ?? { allowed: true };
}

function refusalStatus(reason: string): 403 | 404 | 410 {
  return reason in STATUS ? STATUS[reason as keyof typeof STATUS] : 403;
}
