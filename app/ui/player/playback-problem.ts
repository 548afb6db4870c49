import { type RefObject, useEffect, useState } from "react";

const GONE = "The connection to the site is lost. Check yours, then try again.";
const REFUSED = "This video does not open for you any more. Reload the page to see why.";
const UNPLAYED = "This video stopped loading. Try again.";

interface PlaybackProblem {
  sentence: string | null;
  tryAgain: () => void;
}

/** A video element only knows that its source failed. The site says why when it is asked again. */
export function usePlaybackProblem(video: RefObject<HTMLVideoElement>): PlaybackProblem {
  const [sentence, setSentence] = useState<string | null>(null);

  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const listening = new AbortController();
    const look = () => {
      if (!hasFailed(player)) return;
      void explain(player.currentSrc || lastSource(player)).then((reason) => {
        if (!listening.signal.aborted) setSentence(reason);
      });
    };
    // Errors of <source> elements do not bubble.
    player.addEventListener("error", look, { capture: true, signal: listening.signal });
    player.addEventListener("playing", () => setSentence(null), { signal: listening.signal });
    // The source may have failed before the scripts loaded.
    look();
    return () => listening.abort();
  }, [video]);

  const tryAgain = () => {
    const player = video.current;
    if (!player) return;
    const { currentTime } = player;
    setSentence(null);
    player.load();
    player.currentTime = currentTime;
    // play() rejects when the source fails again, which its error event reports.
    void player.play().catch(() => {});
  };
  return { sentence, tryAgain };
}

function hasFailed(player: HTMLVideoElement): boolean {
  return player.error !== null || player.networkState === HTMLMediaElement.NETWORK_NO_SOURCE;
}

function lastSource(player: HTMLVideoElement): string {
  return [...player.querySelectorAll("source")].at(-1)?.src ?? "";
}

async function explain(url: string): Promise<string> {
  try {
    const response = await fetch(url.replace(/#.*$/, ""), {
      headers: { Range: "bytes=0-" },
      cache: "no-store",
    });
    if (response.status === 429 || response.status === 503) return await response.text();
    void response.body?.cancel();
    return response.ok ? UNPLAYED : REFUSED;
  } catch {
    return GONE;
  }
}
