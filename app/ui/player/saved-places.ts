import { useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

const waiting = new Set<() => void>();
let savedAt = Number.NEGATIVE_INFINITY;
let openingSince = 0;

export function placeSaved(): void {
  savedAt = performance.now();
  for (const load of waiting) load();
}

/** For the frame of all pages: what is saved from here on may be missing in the data of the page that is being opened. */
export function useOpeningTimes(): void {
  const isOpening = useNavigation().state === "loading";
  useEffect(() => {
    if (isOpening) openingSince = performance.now();
  }, [isOpening]);
}

/**
 * For a page that shows places. Its data is read before the page that was left can say where it was left: once that is
 * saved the data is loaded again.
 */
export function useSavedPlaces(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (savedAt > openingSince) revalidate();
    waiting.add(revalidate);
    return () => void waiting.delete(revalidate);
  }, [revalidate]);
}
