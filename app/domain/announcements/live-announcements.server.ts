// Needed because statements that notify wait for each other: 426 rows a second instead of 2,003 (decision 106).
import { sql } from "drizzle-orm";
import { z } from "zod";
import { LIVE_CHANNEL } from "#app/domain/announcements/listen.server.ts";
import { db } from "#db/client.server.ts";

const COLLECT_MS = 200;
const MAX_COLLECTED = 10_000;

const sender = { userId: z.uuid(), sessionId: z.uuid() };
const mediaAnnouncement = z.object({
  kind: z.enum(["progress", "favorite"]),
  ...sender,
  mediaId: z.uuid().optional(),
});
const openingAnnouncement = z.object({
  kind: z.literal("connection"),
  ...sender,
  connectionId: z.uuid(),
  /** Milliseconds by the database's clock. */
  openedAt: z.number(),
});
const encodingAnnouncement = z.object({ kind: z.literal("encoding"), mediaId: z.uuid() });
const liveAnnouncement = z.discriminatedUnion("kind", [
  mediaAnnouncement,
  openingAnnouncement,
  encodingAnnouncement,
]);
export type LiveAnnouncement = z.infer<typeof liveAnnouncement>;
export type LiveOpening = Omit<z.infer<typeof openingAnnouncement>, "kind">;

const collected = new Set<string>();

/** Without `mediaId`, all media are concerned. */
export function announceToOtherDevices(
  { user, session }: { user: { id: string }; session: { sessionId: string } },
  kind: "progress" | "favorite",
  mediaId?: string,
): void {
  announceLive({ kind, userId: user.id, sessionId: session.sessionId, mediaId });
}

/** Heard within a second. Past MAX_COLLECTED nothing is sent, and pages are right at their next load. */
export function announceLive(announcement: LiveAnnouncement): void {
  if (collected.size >= MAX_COLLECTED) return;
  if (collected.size === 0) setTimeout(flush, COLLECT_MS);
  collected.add(JSON.stringify(announcement));
}

export function readLiveAnnouncement(payload: string): LiveAnnouncement | null {
  try {
    return liveAnnouncement.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}

function flush(): void {
  const payloads = JSON.stringify([...collected]);
  collected.clear();
  const sent = db.execute(
    sql`SELECT pg_notify(${LIVE_CHANNEL}, payload) FROM jsonb_array_elements_text(${payloads}::jsonb) AS payload`,
  );
  // A read-only database cannot notify.
  sent.catch(() => {});
}
