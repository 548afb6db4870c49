import { useBlocker } from "@remix-run/react";
import { useEffect } from "react";

const QUESTION = "Your changes on this page are not saved yet. Leave the page without saving them?";

/** The forms of the page that are not saved, because the router has one blocker at a time. */
const unsaved = new Map<symbol, { isOfPhotos: boolean }>();

/**
 * While `isUnsaved`, the page asks before it is closed, loaded again or left. `isOfPhotos`: the fields belong to the
 * photos of one page of a set, and go with it.
 */
export function useUnsaved(isUnsaved: boolean, { isOfPhotos = false } = {}): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const form = Symbol("unsaved");
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    unsaved.set(form, { isOfPhotos });
    addEventListener("beforeunload", ask);
    return () => {
      unsaved.delete(form);
      removeEventListener("beforeunload", ask);
    };
  }, [isUnsaved, isOfPhotos]);
}

/** For the frame of a page whose forms call useUnsaved(). */
export function useUnsavedQuestion(): void {
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    if (unsaved.size === 0) return false;
    // A step back to an earlier save of the page would open its forms anew.
    if (historyAction === "POP") return true;
    // Forms are sent to their own page.
    if (currentLocation.pathname !== nextLocation.pathname) return true;
    const staysOnPhotos = photosOf(currentLocation) === photosOf(nextLocation);
    return !staysOnPhotos && [...unsaved.values()].some(({ isOfPhotos }) => isOfPhotos);
  });
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    // A step back is taken back first, which takes the browser a moment.
    if (window.confirm(QUESTION)) setTimeout(blocker.proceed);
    else blocker.reset();
  }, [blocker]);
}

function photosOf({ search }: { search: string }): string {
  return new URLSearchParams(search).get("photos") ?? "1";
}
