import { hearAnnouncements } from "#app/domain/announcements/hear-announcements.server.ts";

/** The announcements from here on, as they arrive. Once in a test file. */
export async function collectAnnouncements(): Promise<string[]> {
  const heard: string[] = [];
  await new Promise<void>((resolve) => {
    hearAnnouncements({ heard: (payload) => heard.push(payload), gapEnded: resolve });
  });
  return heard;
}
