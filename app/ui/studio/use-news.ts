import { useRevalidator } from "@remix-run/react";
import { useEffect, useMemo, useRef, useState } from "react";
import { pause, untilSiteAnswers } from "../parts/retry-delay.ts";

const ANSWERS_WITHIN_MS = 20_000;

interface News<View> {
  news: View;
  /** Reads it again. */
  read: () => void;
}

/**
 * A part of a page that is read again by itself, because a load of the page would lose what it holds. `onRedirect`: the
 * answer leads to another page, as to the sign-in.
 */
export function useNews<View>(loaded: View, address: string, onRedirect = ignore): News<View> {
  const [news, setNews] = useState(loaded);
  const newest = useRef(loaded);
  useEffect(() => {
    newest.current = loaded;
    setNews(loaded);
  }, [loaded]);
  const read = useMemo(
    () =>
      createReader(async () => {
        const before = newest.current;
        const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
        const answer = await fetch(address, { redirect: "manual", signal }).catch(() => null);
        if (answer?.type === "opaqueredirect") onRedirect();
        if (!answer?.ok) return true;
        const view = (await answer.json()) as View;
        // Where the page was loaded meanwhile, nobody knows which of both is newer.
        if (newest.current !== before) return false;
        setNews(view);
        return true;
      }),
    [address, onRedirect],
  );
  useEffect(() => {
    document.addEventListener("visibilitychange", read);
    return () => document.removeEventListener("visibilitychange", read);
  }, [read]);
  return { news, read };
}

const ignore = () => {};

/** `readOnce` resolves with false where it has to be done again. One request at a time; what is heard meanwhile is read once more. A hidden page reads when somebody looks at it again. */
function createReader(readOnce: () => Promise<boolean>): () => void {
  let isReading = false;
  let isDue = false;
  const read = async () => {
    isDue = true;
    while (isDue && !isReading && document.visibilityState === "visible") {
      [isReading, isDue] = [true, false];
      // An answer that was cut off is read again with the next news.
      const isRead = await readOnce().catch(() => true);
      isDue ||= !isRead;
      isReading = false;
    }
  };
  return () => void read();
}

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
