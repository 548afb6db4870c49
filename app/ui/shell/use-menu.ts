import { useIsomorphicEffect } from "@mantine/hooks";
import { type RefObject, useRef } from "react";

/** Must match header.module.css. */
const LARGE = "(min-width: 62em)";

/** <details> lacks all this. It closes on the event: when the next page renders, it may be open again. */
export function useMenu(): RefObject<HTMLDetailsElement> {
  const ref = useRef<HTMLDetailsElement>(null);

  useIsomorphicEffect(() => {
    const menu = ref.current;
    if (!menu) return;
    const listening = new AbortController();
    const { signal } = listening;
    const close = () => menu.removeAttribute("open");
    const onPointer = ({ target }: Event) => {
      if (!menu.contains(target as Node)) close();
    };
    // A keyboard follows a link outside without a pointer event.
    const onClick = ({ target }: Event) => {
      if (!menu.contains(target as Node) || (target as Element).closest("a")) close();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !menu.open) return;
      event.preventDefault();
      close();
      menu.querySelector("summary")?.focus();
    };
    document.addEventListener("pointerdown", onPointer, { signal });
    document.addEventListener("click", onClick, { signal });
    document.addEventListener("keydown", onKey, { signal });
    window.addEventListener("popstate", close, { signal });
    window.matchMedia(LARGE).addEventListener("change", close, { signal });
    return () => listening.abort();
  }, []);

  return ref;
}
