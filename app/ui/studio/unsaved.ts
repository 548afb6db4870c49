import { useBlocker } from "@remix-run/react";
import { useEffect } from "react";

const QUESTION = "Your changes on this page are not saved. Leave without saving them?";

/** All unsaved forms together, because the router has one blocker at a time. */
const unsaved = new Set<symbol>();

/** Asks before the page is closed, reloaded or left. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const form = Symbol("unsaved");
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    unsaved.add(form);
    addEventListener("beforeunload", ask);
    return () => {
      unsaved.delete(form);
      removeEventListener("beforeunload", ask);
    };
  }, [isUnsaved]);
}

/** Called once a page, by its frame. */
export function useUnsavedQuestion(): void {
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    if (unsaved.size === 0) return false;
    // A step back to an earlier save of the page would reset its forms.
    if (historyAction === "POP") return true;
    // Forms are sent to their own page.
    return (
      currentLocation.pathname !== nextLocation.pathname ||
      photosOf(currentLocation) !== photosOf(nextLocation)
    );
  });
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    // A step back is taken back first, which takes the browser a moment.
    if (window.confirm(QUESTION)) setTimeout(blocker.proceed);
    else blocker.reset();
  }, [blocker]);
}

/** Another page of a set's photos has other fields. */
function photosOf({ search }: { search: string }): string {
  return new URLSearchParams(search).get("photos") ?? "1";
}
