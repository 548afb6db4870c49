import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/** Loads the page's data again and again while work in the queue is not done. A header does it without scripts. */
export function useReload(isDone: boolean, everySeconds: number): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (isDone) return;
    const timer = setInterval(revalidate, everySeconds * 1000);
    return () => clearInterval(timer);
  }, [isDone, revalidate, everySeconds]);
}
