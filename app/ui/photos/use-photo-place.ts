import { useEffect } from "react";
import { type PlaceSubject, placeReporter } from "#app/ui/player/place-reporter.ts";

/** Long enough to have been looked at: who leafs through quickly writes once. */
const LOOKED_AT_MS = 700;

/** Remembers a photo that was turned to by script; a page opened by the browser was remembered by the server. */
export function usePhotoPlace(subject: PlaceSubject | null, number: number): void {
  const mediaId = subject?.mediaId;
  const viewerId = subject?.viewerId;
  const serverNow = subject?.serverNow;

  useEffect(() => {
    if (!mediaId || !viewerId || serverNow === undefined) return;
    const reporter = placeReporter({ mediaId, viewerId, serverNow });
    const timer = setTimeout(() => reporter.report(number), LOOKED_AT_MS);
    return () => {
      clearTimeout(timer);
      reporter.end();
    };
  }, [mediaId, viewerId, serverNow, number]);
}
