import { useDocumentVisibility, useReducedMotion } from "@mantine/hooks";
import { useEffect, useState } from "react";

export const PACES = [3, 5, 8, 15] as const;
export type Pace = (typeof PACES)[number];

const USUAL_PACE: Pace = 5;
const KEY = "slideshow";

interface Slideshow {
  /** Null with reduced motion. */
  toggle: (() => void) | null;
  isRunning: boolean;
  pace: Pace;
  setPace: (pace: Pace) => void;
}

interface Turning {
  index: number;
  isLast: boolean;
  /** The photo is there or could not be loaded, is as large as the window, and nobody touches it. */
  isStill: boolean;
  next: () => void;
  first: () => void;
}

/** Begins on request, waits while the page is hidden or a photo loads, and ends with the last photo. */
export function useSlideshow({ index, isLast, isStill, next, first }: Turning): Slideshow {
  const isCalm = useReducedMotion(false, { getInitialValueInEffect: false });
  const isVisible = useDocumentVisibility() === "visible";
  const [wanted, setWanted] = useState(false);
  const [pace, setPace] = useState(readPace);
  const isRunning = wanted && !isCalm && !isLast;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each photo has its whole time.
  useEffect(() => {
    if (!isRunning || !isStill || !isVisible) return;
    const timer = setTimeout(next, pace * 1_000);
    return () => clearTimeout(timer);
  }, [isRunning, isStill, isVisible, pace, index]);

  useWakeLock(isRunning && isVisible);

  useEffect(() => {
    if (isLast || isCalm) setWanted(false);
  }, [isLast, isCalm]);

  return {
    toggle: isCalm
      ? null
      : () => {
          if (isLast) first();
          setWanted(!isRunning);
        },
    isRunning,
    pace,
    setPace: (chosen) => {
      setPace(chosen);
      writePace(chosen);
    },
  };
}

/** A phone would turn its screen off, because nobody touches it. Some browsers have no such lock, or refuse it. */
function useWakeLock(isOn: boolean): void {
  useEffect(() => {
    if (!isOn || !("wakeLock" in navigator)) return;
    const request = navigator.wakeLock.request("screen").catch(() => null);
    return () => void request.then((lock) => lock?.release()).catch(() => {});
  }, [isOn]);
}

/** Storage may be blocked. */
function readPace(): Pace {
  try {
    return PACES.find((pace) => String(pace) === localStorage.getItem(KEY)) ?? USUAL_PACE;
  } catch {
    return USUAL_PACE;
  }
}

function writePace(pace: Pace): void {
  try {
    localStorage.setItem(KEY, String(pace));
  } catch {}
}
