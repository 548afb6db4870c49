import { useRevalidator } from "@remix-run/react";
import { useEffect, useMemo, useRef, useState } from "react";
import { pause, untilSiteAnswers } from "../parts/retry-delay.ts";

const ANSWERS_WITHIN_MS = 20_000;
const RELOAD_EVERY_MS = 2_000;

interface News<View> {
  news: View;
  read: () => void;
}

/** Reloads a part of a page, because a load of the whole page would lose what it holds. `onRedirect`: for example to the sign-in. */
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
        // The page was loaded meanwhile, so nobody knows which of the two is newer.
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

/** One request at a time. A hidden page reads when it is shown again. `readOnce` resolves with false to be called again. */
function createReader(readOnce: () => Promise<boolean>): () => void {
  let isReading = false;
  let isDue = false;
  const read = async () => {
    isDue = true;
    while (isDue && !isReading && document.visibilityState === "visible") {
      [isReading, isDue] = [true, false];
      // The next news replaces an answer that was cut off.
      const isRead = await readOnce().catch(() => true);
      isDue ||= !isRead;
      isReading = false;
    }
  };
  return () => void read();
}

export function useReload(isDone: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (isDone) return;
    const ending = new AbortController();
    const { signal } = ending;
    const reloadAgain = async () => {
      while (!signal.aborted) {
        await pause(RELOAD_EVERY_MS, signal);
        await untilSiteAnswers(signal);
        if (!signal.aborted) revalidate();
      }
    };
    void reloadAgain();
    return () => ending.abort();
  }, [isDone, revalidate]);
}
