import { useBlocker } from "@remix-run/react";
import { useEffect } from "react";

const QUESTION = "Your changes on this page are not saved yet. Leave the page without saving them?";

/** The sections of the page that are not saved, because the router has one blocker at a time. */
const unsaved = new Set<symbol>();

/** While `isUnsaved`, the page asks before it is closed, loaded again or left. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const section = Symbol("unsaved");
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    unsaved.add(section);
    addEventListener("beforeunload", ask);
    return () => {
      unsaved.delete(section);
      removeEventListener("beforeunload", ask);
    };
  }, [isUnsaved]);
}

/** For the frame of a page whose sections call useUnsaved(). */
export function useUnsavedQuestion(): void {
  const blocker = useBlocker(
    // A step back to an earlier save of the page would open its forms anew.
    ({ currentLocation, nextLocation, historyAction }) =>
      unsaved.size > 0 && (historyAction === "POP" || pageOf(currentLocation) !== pageOf(nextLocation)),
  );
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    // A step back is taken back first, which takes the browser a moment.
    if (window.confirm(QUESTION)) setTimeout(blocker.proceed);
    else blocker.reset();
  }, [blocker]);
}

/** Forms are sent to their own page, and another page of photos has other fields. */
function pageOf({ pathname, search }: { pathname: string; search: string }): string {
  return `${pathname} ${new URLSearchParams(search).get("photos") ?? "1"}`;
}
