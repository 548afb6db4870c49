import { useEffect, useState } from "react";
import { type ProgressSubject, progressReporter } from "./send-progress.ts";

/** A photo that is shown for less does not count, so that quick paging saves once. */
export const LOOKED_AT_MS = 700;

interface PhotoProgressProps {
  progressSubject: ProgressSubject | null;
  position: number;
}

/**
 * Saves a photo that was reached by script; the server itself saves the others. Decided once, because a reload for another
 * device's progress must not save it again.
 */
export function PhotoProgress({ progressSubject, position }: PhotoProgressProps): null {
  const [opened] = useState(progressSubject);
  const mediaId = opened?.mediaId;
  const viewerId = opened?.viewerId;
  const serverNow = opened?.serverNow;

  useEffect(() => {
    if (!mediaId || !viewerId || serverNow === undefined) return;
    const reporter = progressReporter({ mediaId, viewerId, serverNow });
    const timer = setTimeout(() => reporter.report(position), LOOKED_AT_MS);
    return () => {
      clearTimeout(timer);
      reporter.end();
    };
  }, [mediaId, viewerId, serverNow, position]);

  return null;
}
