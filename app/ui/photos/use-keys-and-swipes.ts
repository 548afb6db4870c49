import { useIsomorphicEffect } from "@mantine/hooks";
import { useNavigate } from "@remix-run/react";
import type { RefObject } from "react";
import { hasModifier } from "../navigation/modifier-keys.ts";

const SWIPE_PX = 48;
const TAKES_KEYS = "input, select, textarea, [contenteditable]";

/** Clicks the rel="prev" and rel="next" links, so keys, swipes and links never differ. Escape leads to `up`. */
export function useKeysAndSwipes(stage: RefObject<HTMLElement>, up: string, isOn: boolean): void {
  const navigate = useNavigate();

  // A layout effect: keys must work as soon as the photo is visible.
  useIsomorphicEffect(() => {
    if (!isOn) return;
    const listening = new AbortController();
    const { signal } = listening;
    const turn = (way: "prev" | "next") => {
      stage.current?.querySelector<HTMLAnchorElement>(`a[rel="${way}"]`)?.click();
    };
    document.addEventListener(
      "keydown",
      (event) => {
        if (hasModifier(event)) return;
        // Escape closes a menu first.
        if (event.defaultPrevented) return;
        if (event.target instanceof Element && event.target.closest(TAKES_KEYS)) return;
        if (event.key === "ArrowLeft") turn("prev");
        else if (event.key === "ArrowRight") turn("next");
        else if (event.key === "Escape") navigate(up);
      },
      { signal },
    );

    let start: { x: number; y: number } | null = null;
    stage.current?.addEventListener(
      "touchstart",
      ({ touches }) => {
        const [finger] = touches;
        // Two fingers zoom, and one pans a zoomed photo.
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
        turn(across < 0 ? "next" : "prev");
      },
      { signal, passive: true },
    );
    return () => listening.abort();
  }, [stage, navigate, up, isOn]);
}
