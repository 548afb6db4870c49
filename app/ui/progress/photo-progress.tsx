import { useEffect, useState } from "react";
import { type ProgressSubject, progressReporter } from "./send-progress.ts";

/** Long enough to count as a view, so quick paging saves once. */
export const LOOKED_AT_MS = 700;

interface PhotoProgressProps {
  progressSubject: ProgressSubject | null;
  position: number;
}

/** For photos reached by script. Decided once: another device's progress must not make it save again. */
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
