import { announceToOtherDevices } from "#app/domain/announcements/live-announcements.server.ts";
import { takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { saveProgress } from "#app/domain/viewing/save-progress.server.ts";
import { log } from "#app/log.server.ts";
import type { Member } from "../session/guards.server.ts";

/** False when the page's script has to save it. */
export async function recordPhoto(
  request: Request,
  member: Member,
  photo: { mediaId: string; progress: number },
): Promise<boolean> {
  if (!isRealNavigation(request)) return false;
  try {
    if ((await takePoint("progressByUser", member.user.id)) !== null) return false;
    if ((await saveProgress({ ...photo, userId: member.user.id })) === null) return false;
    announceToOtherDevices(member, "progress", photo.mediaId);
    return true;
  } catch (error) {
    log.warn({ requestId: request.headers.get("x-request-id"), err: error }, "progress of a photo not saved");
    return false;
  }
}

function isRealNavigation(request: Request): boolean {
  const header = (name: string) => request.headers.get(name);
  return (
    request.method === "GET" &&
    header("sec-fetch-mode") === "navigate" &&
    header("purpose") === null &&
    header("sec-purpose") === null
  );
}
