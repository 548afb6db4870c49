import { announceLive } from "#app/domain/announcements/live-announcements.server.ts";
import type { Member } from "../session/guards.server.ts";

/** Tells the member's other devices; without `mediaId` all media are concerned. */
export function announceChange(
  { user, session }: Member,
  kind: "progress" | "favorite",
  mediaId?: string,
): void {
  announceLive({ kind, userId: user.id, sessionId: session.sessionId, mediaId });
}
