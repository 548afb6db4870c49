import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";

/** An answer may stand above the button that asked for it. The page stays where it is when the answer is in sight. */
export function useBroughtIntoView<Shown extends HTMLElement>(isAnswered: boolean) {
  const shown = useRef<Shown>(null);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second answer may have the words of the first.
  useEffect(() => {
    const element = shown.current;
    if (!isAnswered || element === null) return;
    const before = window.scrollY;
    element.scrollIntoView({ block: "nearest" });
    if (window.scrollY === before) return;
    element.tabIndex = -1;
    element.focus({ preventScroll: true });
  }, [isAnswered, key]);
  return shown;
}
