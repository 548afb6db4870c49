import { type ShouldRevalidateFunctionArgs, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/** Not for news from elsewhere: once the sign-in is too old, the load would lead away from what is typed. */
export function keepTyped({
  formMethod,
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const isOwn = formMethod !== undefined || currentUrl.href !== nextUrl.href;
  return isOwn && defaultShouldRevalidate;
}

/** Loads the page's data again and again while work in the queue is not done. A header does it without scripts. */
export function useReload(isDone: boolean, everySeconds: number): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (isDone) return;
    const timer = setInterval(revalidate, everySeconds * 1000);
    return () => clearInterval(timer);
  }, [isDone, revalidate, everySeconds]);
}
