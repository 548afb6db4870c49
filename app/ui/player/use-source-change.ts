import { type RefObject, useEffect, useRef } from "react";

/** A browser keeps to the source that it began with. Once another stands first, the film goes on there, where it is. */
export function useSourceChange(video: RefObject<HTMLVideoElement>, first: string | undefined): void {
  const shown = useRef(first);

  useEffect(() => {
    if (!video.current || shown.current === first) return;
    shown.current = first;
    goOn(video.current);
  }, [video, first]);
}

function goOn(player: HTMLVideoElement): void {
  const { currentTime, paused, playbackRate, readyState } = player;
  player.load();
  player.playbackRate = playbackRate;
  // Kept until the film can be sought in, and then before the second in the address, but for zero, which means nothing.
  if (readyState > 0 || currentTime > 0) player.currentTime = Math.max(currentTime, 0.001);
  // Refused when yet another one is chosen meanwhile.
  if (!paused) void player.play().catch(() => {});
}
