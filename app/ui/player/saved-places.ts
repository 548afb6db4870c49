import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/** So old the data of a page may be when it stands: fetched up to ten seconds before the click, and then awaited. */
const OPENING_MS = 15_000;

const waiting = new Set<() => void>();
let savedAt = Number.NEGATIVE_INFINITY;

export function placeSaved(): void {
  savedAt = performance.now();
  for (const load of waiting) load();
}

/**
 * For a page that shows places. Its data is read before the page that was left can say where it was left: once that is
 * saved the data is loaded again.
 */
export function useSavedPlaces(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (performance.now() - savedAt < OPENING_MS) revalidate();
    savedAt = Number.NEGATIVE_INFINITY;
    waiting.add(revalidate);
    return () => void waiting.delete(revalidate);
  }, [revalidate]);
}
