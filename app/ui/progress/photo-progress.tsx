import { useEffect, useState } from "react";
import { type ProgressSubject, progressReporter } from "./send-progress.ts";

/** Long enough to count as a view: quick paging saves once. */
export const LOOKED_AT_MS = 700;

interface PhotoProgressProps {
  /** The viewer whose progress is saved; null when signed out, and when the server has saved it already. */
  unrecorded: ProgressSubject | null;
  number: number;
}

/** For photos reached by script. Decided once: a revalidation for another device's progress must not save it again. */
export function PhotoProgress({ unrecorded, number }: PhotoProgressProps): null {
  const [subject] = useState(unrecorded);
  const mediaId = subject?.mediaId;
  const viewerId = subject?.viewerId;
  const serverNow = subject?.serverNow;

  useEffect(() => {
    if (!mediaId || !viewerId || serverNow === undefined) return;
    const reporter = progressReporter({ mediaId, viewerId, serverNow });
    const timer = setTimeout(() => reporter.report(number), LOOKED_AT_MS);
    return () => {
      clearTimeout(timer);
      reporter.end();
    };
  }, [mediaId, viewerId, serverNow, number]);

  return null;
}
