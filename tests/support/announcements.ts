import { listenToAnnouncements, type Subject } from "#app/domain/announcements/listen.server.ts";

/** The subjects announced from here on, as they arrive. Once in a test file. */
export async function collectAnnouncements(): Promise<Subject[]> {
  const subjects: Subject[] = [];
  await new Promise<void>((resolve) => {
    listenToAnnouncements({
      onSubject: (subject) => subjects.push(subject),
      onLive: () => {},
      onBeginning: resolve,
    });
  });
  return subjects;
}
