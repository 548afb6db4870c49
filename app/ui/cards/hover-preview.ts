const AFTER_MS = 300;

/** Lists whose listener is there already. */
const listening = new WeakSet<Element>();

/** Plays the preview of the card under the pointer or with the focus; one listener serves the whole list. */
export function playPreviews(list: HTMLElement): void {
  if (listening.has(list) || !isWelcome()) return;
  listening.add(list);
  let shown: Element | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let video: HTMLVideoElement | null = null;

  const look = (event: Event) => {
    // A finger has no hover: it opens the card, and gives it the focus.
    if (event instanceof PointerEvent && event.pointerType !== "mouse") return;
    if (event instanceof FocusEvent && !isFocusShown(event.target)) return;
    const card = event.target instanceof Element ? event.target.closest("article") : null;
    if (card === shown) return;
    end();
    shown = card;
    const frame = card?.querySelector<HTMLElement>("[data-preview]");
    if (frame) timer = setTimeout(() => begin(frame), AFTER_MS);
  };
  const begin = (frame: HTMLElement) => {
    if (!frame.isConnected) return;
    video = document.createElement("video");
    Object.assign(video, { muted: true, loop: true, playsInline: true, disablePictureInPicture: true });
    video.setAttribute("aria-hidden", "true");
    video.tabIndex = -1;
    video.src = frame.dataset.preview ?? "";
    // The picture stays until there is a moving one.
    const playing = video;
    playing.addEventListener("playing", () => playing === video && frame.firstElementChild?.after(playing));
    void video.play().catch(() => {});
  };
  const end = () => {
    clearTimeout(timer);
    video?.removeAttribute("src");
    // Ends its download.
    video?.load();
    video?.remove();
    video = null;
    shown = null;
  };

  list.addEventListener("pointerover", look);
  list.addEventListener("focusin", look);
  list.addEventListener("pointerleave", end);
  list.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && shown?.contains(relatedTarget))) end();
  });
  // The pointer or the focus that loaded this is there already.
  const hovered = matchMedia("(hover: hover)").matches ? list.querySelector("article:hover") : null;
  const first = hovered ?? list.querySelector("article:has(:focus-visible)");
  first?.dispatchEvent(new Event("focusin", { bubbles: true }));
}

function isFocusShown(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(":focus-visible");
}

function isWelcome(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData !== true && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
