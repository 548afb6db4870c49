import { savesData } from "#app/ui/parts/saves-data.ts";

const AFTER_MS = 300;

/** Plays the preview of the card under the pointer or with the focus; one listener serves all cards of the site. */
export function playPreviews(): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let shown: Element | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let video: HTMLVideoElement | null = null;

  const look = (event: Event) => {
    // A finger has no hover: it opens the card and focuses it.
    if (event instanceof PointerEvent && event.pointerType !== "mouse") return;
    if (event instanceof FocusEvent && !isFocusShown(event.target)) return;
    const card = event.target instanceof Element ? event.target.closest("article") : null;
    if (card === shown) return;
    end();
    shown = card;
    const frame = card?.querySelector<HTMLElement>("[data-preview]");
    // Motion of more than five seconds must be stoppable by key: WCAG 2.2.2.
    const isOnce = event instanceof FocusEvent;
    if (frame && isWelcome()) timer = setTimeout(() => begin(frame, isOnce), AFTER_MS);
  };
  const begin = (frame: HTMLElement, isOnce: boolean) => {
    if (!frame.isConnected) return;
    video = document.createElement("video");
    Object.assign(video, { muted: true, loop: !isOnce, playsInline: true, disablePictureInPicture: true });
    video.setAttribute("aria-hidden", "true");
    video.tabIndex = -1;
    video.src = frame.dataset.preview ?? "";
    const playing = video;
    playing.addEventListener("playing", () => playing === video && frame.firstElementChild?.after(playing));
    playing.addEventListener("ended", end);
    void video.play().catch(() => {});
  };
  const stop = () => {
    clearTimeout(timer);
    video?.removeAttribute("src");
    video?.load();
    video?.remove();
    video = null;
  };
  const end = () => {
    stop();
    shown = null;
  };

  for (const event of ["pointerover", "focusin"]) document.addEventListener(event, look, { signal });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && stop(), { signal });
  document.documentElement.addEventListener("pointerleave", end, { signal });
  document.addEventListener(
    "focusout",
    ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && shown?.contains(relatedTarget))) end();
    },
    { signal },
  );
  return () => {
    end();
    listening.abort();
  };
}

function isFocusShown(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(":focus-visible");
}

function isWelcome(): boolean {
  return !savesData() && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
