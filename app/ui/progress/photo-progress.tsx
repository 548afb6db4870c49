import { useEffect, useState } from "react";
import { type ProgressSubject, progressReporter } from "./send-progress.ts";

/** Counts as a view: quick paging saves once. */
export const LOOKED_AT_MS = 700;

interface PhotoProgressProps {
  /** Null when signed out, and when the server has already saved the progress. */
  progressSubject: ProgressSubject | null;
  position: number;
}

/** Decided once: reloads for another device's progress must not save it again. */
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
