import { useBlocker } from "@remix-run/react";
import { useEffect } from "react";

const QUESTION = "Your changes on this page are not saved. Leave without saving them?";

/** All unsaved forms together, because the router has one blocker at a time. */
const unsaved = new Map<symbol, { isOfPhotos: boolean }>();

/** Asks before the page is closed, reloaded or left. `isOfPhotos`: the fields belong to one page of a set's photos. */
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

/** Called once a page, by its frame. */
export function useUnsavedQuestion(): void {
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    if (unsaved.size === 0) return false;
    // A step back to an earlier save of the page would reset its forms.
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
