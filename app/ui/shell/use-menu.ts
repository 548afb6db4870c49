import { useLocation } from "@remix-run/react";
import { type RefObject, useEffect, useRef } from "react";

/** The header's large breakpoint. Keep equal to the one in header.module.css. */
const LARGE = "(min-width: 62em)";

/** What <details> does not do by itself: closes on choosing, Escape, a click elsewhere and when the viewport grows. */
export function useMenu(): RefObject<HTMLDetailsElement> {
  const ref = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new location is what closes the menu.
  useEffect(() => {
    ref.current?.removeAttribute("open");
  }, [key]);

  useEffect(() => {
    const menu = ref.current;
    if (!menu) return;
    const close = () => menu.removeAttribute("open");
    const onPointer = (event: Event) => {
      if (!menu.contains(event.target as Node)) close();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !menu.open) return;
      close();
      menu.querySelector("summary")?.focus();
    };
    const onChoice = (event: Event) => {
      if (event.target instanceof Element && event.target.closest("a")) close();
    };
    const large = window.matchMedia(LARGE);
    document.addEventListener("pointerdown", onPointer);
    document.addEventListener("keydown", onKey);
    menu.addEventListener("click", onChoice);
    large.addEventListener("change", close);
    return () => {
      document.removeEventListener("pointerdown", onPointer);
      document.removeEventListener("keydown", onKey);
      menu.removeEventListener("click", onChoice);
      large.removeEventListener("change", close);
    };
  }, []);

  return ref;
}
