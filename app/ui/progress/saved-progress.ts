import { useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

const waiting = new Set<() => void>();
let savedAt = Number.NEGATIVE_INFINITY;
let openingSince = 0;

export function reloadAfterSave(): void {
  savedAt = performance.now();
  for (const load of waiting) load();
}

/** For the root layout: a page that is loading may lack progress that is saved from now on. */
export function useNavigationStart(): void {
  const isOpening = useNavigation().state === "loading";
  useEffect(() => {
    if (isOpening) openingSince = performance.now();
  }, [isOpening]);
}

/** Data may load before the previous page has saved its progress. Off while something covers the page. */
export function useReloadAfterSave(isOn = true): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isOn) return;
    if (savedAt > openingSince) revalidate();
    waiting.add(revalidate);
    return () => void waiting.delete(revalidate);
  }, [revalidate, isOn]);
}
