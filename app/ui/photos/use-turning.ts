import { useNavigate } from "@remix-run/react";
import { type RefObject, useEffect } from "react";

/** URLs; null where the set begins and ends. */
interface Ways {
  previous: string | null;
  next: string | null;
  up: string;
}

const SWIPE_PX = 48;
const TAKES_KEYS = "input, select, textarea, [contenteditable]";

/** Arrow keys and a swipe turn the pages of a set, Escape leads back to it. */
export function useTurning(stage: RefObject<HTMLElement>, { previous, next, up }: Ways): void {
  const navigate = useNavigate();

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const go = (way: string | null) => {
      if (way) navigate(way);
    };
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
        if (event.target instanceof Element && event.target.closest(TAKES_KEYS)) return;
        if (event.key === "ArrowLeft") go(previous);
        else if (event.key === "ArrowRight") go(next);
        else if (event.key === "Escape") go(up);
      },
      { signal },
    );

    let start: { x: number; y: number } | null = null;
    stage.current?.addEventListener(
      "touchstart",
      ({ touches }) => {
        const [finger] = touches;
        // Two fingers zoom, and in a zoomed picture one finger moves it about.
        const turns = touches.length === 1 && (window.visualViewport?.scale ?? 1) <= 1.01;
        start = finger && turns ? { x: finger.clientX, y: finger.clientY } : null;
      },
      { signal, passive: true },
    );
    stage.current?.addEventListener(
      "touchend",
      ({ changedTouches }) => {
        const [finger] = changedTouches;
        if (!finger || !start) return;
        const [across, down] = [finger.clientX - start.x, finger.clientY - start.y];
        start = null;
        if (Math.abs(across) < SWIPE_PX || Math.abs(across) < 1.5 * Math.abs(down)) return;
        go(across < 0 ? next : previous);
      },
      { signal, passive: true },
    );
    return () => listening.abort();
  }, [stage, navigate, previous, next, up]);
}
