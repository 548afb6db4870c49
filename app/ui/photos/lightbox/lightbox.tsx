import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { LOOKED_AT_MS } from "#app/ui/progress/photo-progress.tsx";
import { progressReporter } from "#app/ui/progress/send-progress.ts";
import { createGallery, type Gallery, type GalleryState } from "./gallery.ts";
import { LightboxBar } from "./lightbox-bar.tsx";
import { findLostPhotos, type ReceivedSet } from "./lightbox-set.ts";

/** Safari allows 100 changes of the address in 30 seconds. */
const ADDRESS_AFTER_MS = 300;

interface LightboxProps {
  set: ReceivedSet;
  list: string;
  startAt: number;
  addressOf: (position: number) => string;
  leadsToPages: boolean;
  onClosed: (position: number) => void;
}

export function Lightbox({ set, list, startAt, addressOf, leadsToPages, onClosed }: LightboxProps) {
  const [gallery, setGallery] = useState<Gallery | null>(null);
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const [state, setState] = useState<GalleryState | null>(null);
  const photo = state && set.photos[state.index];

  useEffect(() => {
    const { progressSubject, photos, title, receivedAt } = set;
    const reporter = progressSubject && progressReporter(progressSubject, receivedAt);
    const listening = new AbortController();
    let looking: ReturnType<typeof setTimeout> | undefined;
    let addressing: ReturnType<typeof setTimeout> | undefined;
    let shown = startAt;
    let isLeft = false;
    const showAddress = () => {
      if (!isLeft) window.history.replaceState(window.history.state, "", addressOf(shown));
    };
    // The lightbox has its own history entry, so that Back closes it; turning only changes the entry's address. A key of its own
    // keeps its scroll position apart from that of the page below.
    const key = `lightbox ${performance.timeOrigin + performance.now()}`;
    window.history.pushState({ ...window.history.state, key }, "", addressOf(startAt));
    // On a reload the browser would give the photo's page the scroll position of the page below. Set this late, because Remix
    // resets it just before the page is hidden.
    const beginAtTheTop = () => {
      if (document.visibilityState === "hidden") window.history.scrollRestoration = "manual";
    };
    document.addEventListener("visibilitychange", beginAtTheTop, { signal: listening.signal });
    const left = new Promise((resolve) => {
      window.addEventListener("popstate", resolve, { signal: listening.signal });
    });

    const created = createGallery(photos, title, startAt, {
      onBar: setBar,
      onState: setState,
      onTurned(position) {
        shown = position;
        clearTimeout(addressing);
        addressing = setTimeout(showAddress, ADDRESS_AFTER_MS);
        clearTimeout(looking);
        looking = setTimeout(() => reporter?.report(position), LOOKED_AT_MS);
      },
      onClosing() {
        showAddress();
        isLeft = true;
        window.history.back();
      },
      findLost: () => findLostPhotos(list, photos),
      onGone: () => void left.then(() => onClosed(shown)),
    });
    const closeByHistory = () => {
      isLeft = true;
      created.closeByHistory();
    };
    window.addEventListener("popstate", closeByHistory, { signal: listening.signal });
    setGallery(created);
    created.open();
    return () => {
      listening.abort();
      clearTimeout(looking);
      clearTimeout(addressing);
      reporter?.end();
      created.destroy();
    };
  }, [set, list, startAt, addressOf, onClosed]);

  if (!gallery || !bar || !photo) return null;
  const page = leadsToPages ? addressOf(photo.position) : null;
  return createPortal(<LightboxBar {...{ set, photo, page, state, gallery }} />, bar);
}
