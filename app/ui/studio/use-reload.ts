import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { pause, untilSiteAnswers } from "../parts/retry-delay.ts";

/** Loads the page's data again and again while work in the queue is not done. A header does it without scripts. */
export function useReload(isDone: boolean, everySeconds: number): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (isDone) return;
    const ending = new AbortController();
    const { signal } = ending;
    const reloadAgain = async () => {
      while (!signal.aborted) {
        await pause(everySeconds * 1000, signal);
        await untilSiteAnswers(signal);
        if (!signal.aborted) revalidate();
      }
    };
    void reloadAgain();
    return () => ending.abort();
  }, [isDone, revalidate, everySeconds]);
}
