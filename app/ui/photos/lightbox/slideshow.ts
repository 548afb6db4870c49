import { useDocumentVisibility, useReducedMotion } from "@mantine/hooks";
import { useEffect, useState } from "react";

export const PACES = [3, 5, 8, 15] as const;
export type Pace = (typeof PACES)[number];

const USUAL_PACE: Pace = 5;
const KEY = "slideshow";

interface Slideshow {
  toggle: (() => void) | null;
  isRunning: boolean;
  pace: Pace;
  setPace: (pace: Pace) => void;
}

interface Turning {
  index: number;
  isLast: boolean;
  /** Loaded or failed, not zoomed, not touched. */
  isStill: boolean;
  next: () => void;
  first: () => void;
}

export function useSlideshow({ index, isLast, isStill, next, first }: Turning): Slideshow {
  const isCalm = useReducedMotion(false, { getInitialValueInEffect: false });
  const isVisible = useDocumentVisibility() === "visible";
  const [wanted, setWanted] = useState(false);
  const [pace, setPace] = useState(readPace);
  const isRunning = wanted && !isCalm && !isLast;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each photo starts a new timer.
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

/** Phones would turn their screen off. Some browsers have no lock, or refuse it. */
function useWakeLock(isOn: boolean): void {
  useEffect(() => {
    if (!isOn || !("wakeLock" in navigator)) return;
    const request = navigator.wakeLock.request("screen").catch(() => null);
    return () => void request.then((lock) => lock?.release()).catch(() => {});
  }, [isOn]);
}

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
