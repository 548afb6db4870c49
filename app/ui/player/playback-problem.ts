import { type RefObject, useEffect, useState } from "react";

const GONE = "The connection to the site was lost. Check your network, then try again.";
const REFUSED = "You can no longer watch this video. Reload the page to see why.";
const UNREACHABLE = "The site does not answer at the moment. Wait a few seconds, then try again.";
const UNPLAYABLE = "This browser cannot play this video.";
const STOPPED = "This video stopped loading. Try again.";
const REFUSALS = [401, 403, 404, 410];

interface PlaybackProblem {
  sentence: string | null;
  tryAgain: () => void;
}

/** A video element only knows that its source failed. The site says why when the source is requested once more. */
export function usePlaybackProblem(video: RefObject<HTMLVideoElement>): PlaybackProblem {
  const [sentence, setSentence] = useState<string | null>(null);

  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const listening = new AbortController();
    const { signal } = listening;
    const look = () => {
      if (!hasFailed(player)) return;
      void explain(player).then((reason) => {
        if (!signal.aborted && hasFailed(player)) setSentence(reason);
      });
    };
    const forget = () => setSentence(null);
    // Errors of <source> elements do not bubble.
    player.addEventListener("error", look, { capture: true, signal });
    for (const event of ["emptied", "loadedmetadata", "playing"])
      player.addEventListener(event, forget, { signal });
    // The source may have failed before the scripts loaded. A player that was just added has not chosen one yet.
    const timer = setTimeout(look);
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, [video]);

  const tryAgain = () => {
    setSentence(null);
    if (video.current) reload(video.current, { isPaused: false });
  };
  return { sentence, tryAgain };
}

/** Goes on from the same second, at the same speed. */
export function reload(player: HTMLVideoElement, { isPaused }: { isPaused: boolean }): void {
  const { currentTime, playbackRate, readyState } = player;
  player.load();
  player.playbackRate = playbackRate;
  // Kept until the player can seek, and it then overrides the start time in the URL. A value of 0 would be ignored.
  if (readyState > 0 || currentTime > 0) player.currentTime = Math.max(currentTime, 0.001);
  // play() rejects when yet another source is chosen meanwhile, or when this one fails.
  if (!isPaused) void player.play().catch(() => {});
}

function hasFailed(player: HTMLVideoElement): boolean {
  return player.error !== null || player.networkState === HTMLMediaElement.NETWORK_NO_SOURCE;
}

/** Requests what the player does, because the slots of a viewer count for that alone. */
async function explain(player: HTMLVideoElement): Promise<string> {
  const sources = [...player.querySelectorAll("source")];
  if (sources.every(({ type }) => player.canPlayType(type) === "")) return UNPLAYABLE;
  const url = (player.currentSrc || sources.at(-1)?.src) ?? "";
  try {
    const response = await fetch(url.replace(/#.*$/, ""), {
      headers: { Range: "bytes=0-" },
      cache: "no-store",
    });
    // Other programs on the way write pages of their own.
    if (response.headers.has("X-Video-Refusal")) return await response.text();
    void response.body?.cancel();
    if (response.ok) return STOPPED;
    return REFUSALS.includes(response.status) ? REFUSED : UNREACHABLE;
  } catch {
    return GONE;
  }
}
