// Needed because PhotoSwipe drops keys while it opens: decision 172.
import PhotoSwipe, { type SlideData } from "photoswipe";
import "photoswipe/style.css";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { hasModifier } from "#app/ui/navigation/modifier-keys.ts";
import { pictureFile } from "#app/ui/parts/picture.tsx";
import styles from "./lightbox.module.css";
import type { LightboxPhoto } from "./lightbox-set.ts";
import { thumbnailOf } from "./thumbnail.ts";

const ANIMATION_MS = 200;
const PAN_PX = 80;

/** A smaller step would not be seen on phones. */
const MIN_ZOOM = 1.1;

const NO_ACCESS = "You no longer have access to this photo.";

export interface GalleryState {
  index: number;
  /** Loaded, or failed for good. */
  isSettled: boolean;
  isZoomed: boolean;
  isHeld: boolean;
}

interface GalleryEvents {
  /** An empty element beside PhotoSwipe's buttons, in which presses are not gestures. */
  onBar(bar: HTMLElement): void;
  onState(state: GalleryState): void;
  onTurned(position: number): void;
  /** The lightbox closes, but not by Back. */
  onClosing(): void;
  onGone(): void;
  findLost(): Promise<LightboxPhoto[]>;
}

export type Gallery = ReturnType<typeof createGallery>;

export function createGallery(
  photos: LightboxPhoto[],
  title: string,
  startAt: number,
  events: GalleryEvents,
) {
  const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const format = formatInUse();
  const pswp = new PhotoSwipe({
    dataSource: photos.map(({ picture }) => slideOf(picture, format)),
    index: photos.findIndex(({ position }) => position === startAt),
    mainClass: styles.lightbox,
    bgOpacity: 1,
    loop: false,
    counter: false,
    wheelToZoom: true,
    returnFocus: false,
    initialZoomLevel: "fit",
    secondaryZoomLevel: ({ fit }) => (oneToOne() < MIN_ZOOM * fit ? 2 * fit : oneToOne()),
    // PhotoSwipe uses secondaryZoomLevel if that is larger.
    maxZoomLevel: () => 2 * oneToOne(),
    imageClickAction: "zoom",
    showHideAnimationType: isCalm ? "none" : "zoom",
    showAnimationDuration: isCalm ? 0 : ANIMATION_MS,
    hideAnimationDuration: isCalm ? 0 : ANIMATION_MS,
    zoomAnimationDuration: isCalm ? false : ANIMATION_MS,
    closeTitle: "Close",
    zoomTitle: "Zoom",
    arrowPrevTitle: "Previous photo",
    arrowNextTitle: "Next photo",
    errorMsg: "This photo could not be loaded.",
  });
  pressWhenOpen(pswp);
  const photoAt = (index: number) => photos[index]?.position ?? startAt;
  let state: GalleryState = {
    index: pswp.options.index ?? 0,
    isSettled: false,
    isZoomed: false,
    isHeld: false,
  };
  let leavesHistory = true;

  const update = (change: Partial<GalleryState>) => {
    const next = { ...state, ...change };
    const isSame = Object.entries(next).every(([key, value]) => state[key as keyof GalleryState] === value);
    if (isSame) return;
    state = next;
    events.onState(state);
  };
  const isSettled = () => ["loaded", "error"].includes(pswp.currSlide?.content.state ?? "");

  pswp.addFilter("thumbEl", (_, __, index) => thumbnailOf(photoAt(index)) as HTMLElement);
  pswp.on("uiRegister", () => {
    const onInit = (bar: HTMLElement) => {
      // PhotoSwipe would cancel the press that opens a select.
      bar.addEventListener("pointerdown", (event) => event.stopPropagation());
      events.onBar(bar);
    };
    pswp.ui?.registerElement({ name: "own", order: 9, appendTo: "bar", onInit });
  });
  pswp.on("firstUpdate", () => nameDialog(pswp.element, title));
  const lost = new Set<LightboxPhoto>();
  // On a weak network many photos fail at once, and need only one request.
  let pending: Promise<LightboxPhoto[]> | null = null;
  const findLost = () => {
    pending ??= events.findLost().finally(() => {
      pending = null;
    });
    return pending;
  };
  const failed = new WeakSet<object>();
  pswp.addFilter("contentErrorElement", (message, content) => {
    failed.add(content);
    message.setAttribute("role", "alert");
    const photo = photos[content.index];
    if (photo && lost.has(photo)) message.textContent = NO_ACCESS;
    return message;
  });
  pswp.on("loadError", async ({ slide, content }) => {
    const photo = photos[slide.index];
    if (!photo || slide !== pswp.currSlide || lost.has(photo)) return;
    for (const each of await findLost()) lost.add(each);
    const message = content.element?.querySelector(".pswp__error-msg");
    if (message && lost.has(photo)) message.textContent = NO_ACCESS;
  });
  // PhotoSwipe reloads a failed photo when turning to it, but still shows the failure.
  const retry = () => {
    const isNeeded = pswp.currSlide !== undefined && failed.has(pswp.currSlide.content);
    if (isNeeded) pswp.refreshSlideContent(pswp.currIndex);
    return isNeeded;
  };
  pswp.on("bindEvents", () => pswp.events.add(window, "online", retry));
  pswp.on("change", () => {
    // The retry fires this event again.
    if (retry()) return;
    update({ index: pswp.currIndex, isSettled: isSettled(), isZoomed: false });
    thumbnailOf(photoAt(pswp.currIndex))?.scrollIntoView({ block: "nearest" });
    events.onTurned(photoAt(pswp.currIndex));
  });
  pswp.on("loadComplete", () => update({ isSettled: isSettled() }));
  pswp.on("zoomPanUpdate", ({ slide }) => {
    if (slide === pswp.currSlide) update({ isZoomed: slide.currZoomLevel > slide.zoomLevels.initial * 1.01 });
  });
  pswp.on("pointerDown", () => update({ isHeld: true }));
  pswp.on("pointerUp", () => update({ isHeld: false }));
  pswp.on("keydown", (event) => {
    const { key, target } = event.originalEvent;
    // A select needs the arrows itself.
    if (target instanceof HTMLSelectElement && key !== "Escape") event.preventDefault();
    else if (key === "Home") pswp.goTo(0);
    else if (key === "End") pswp.goTo(photos.length - 1);
    // A tap may have hidden the buttons, which somebody with a keyboard needs to see.
    else if (key === "Tab") pswp.element?.classList.add("pswp--ui-visible");
    else if (panSideways(pswp, event.originalEvent)) event.preventDefault();
  });
  pswp.on("close", () => {
    // PhotoSwipe waits until its last animation ends, which never happens if that belongs to an earlier swipe.
    pswp.animations.stopAll();
    pswp.mainScroll.moveIndexBy(0);
    if (leavesHistory) events.onClosing();
  });
  pswp.on("destroy", () => {
    pswp.element?.remove();
    events.onGone();
  });

  return {
    open: () => {
      pswp.init();
      if (isCalm) pswp.animations.startSpring = jump;
      events.onState(state);
    },
    closeByHistory: () => {
      leavesHistory = false;
      pswp.close();
    },
    destroy: () => {
      events.onGone = () => {};
      // PhotoSwipe would close first, which fails before it is open.
      pswp.isDestroying = true;
      pswp.destroy();
      pswp.animations.stopAll();
    },
    next: () => pswp.next(),
    first: () => pswp.goTo(0),
    toggleFullScreen: document.fullscreenEnabled ? () => toggleFullScreen(pswp.element) : null,
  };
}

/** While PhotoSwipe opens, it ignores keys and buttons, and a zoom can leave it opening or closing forever. */
function pressWhenOpen(pswp: PhotoSwipe): void {
  for (const name of ["close", "next", "prev", "goTo", "toggleZoom"] as const) {
    const now = pswp[name].bind(pswp) as (...given: unknown[]) => void;
    const press = (...given: unknown[]) => {
      const act = () => {
        if (!pswp.isDestroying) now(...given);
      };
      if (pswp.opener.isOpening) pswp.on("openingAnimationEnd", act);
      else act();
    };
    Object.assign(pswp, { [name]: press });
  }
  const early = (event: KeyboardEvent) => {
    if (hasModifier(event)) return;
    if (event.key === "Escape") pswp.close();
    else if (event.key === "ArrowRight") pswp.next();
    else if (event.key === "ArrowLeft") pswp.prev();
    else if (event.key === "Home") pswp.goTo(0);
    else if (event.key === "End") pswp.goTo(pswp.getNumItems() - 1);
    else if (event.key === "z") pswp.toggleZoom();
  };
  pswp.on("beforeOpen", () => pswp.events.add(document, "keydown", early as EventListener));
  pswp.on("openingAnimationEnd", () => pswp.events.remove(document, "keydown", early as EventListener));
}

/** False at the photo's edge, where the key turns to the next photo. */
function panSideways({ currSlide: slide }: PhotoSwipe, event: KeyboardEvent): boolean {
  const { key } = event;
  const isArrow = key === "ArrowLeft" || key === "ArrowRight";
  if (!slide || !isArrow || hasModifier(event)) return false;
  const before = slide.pan.x;
  slide.panTo(before + (key === "ArrowLeft" ? PAN_PX : -PAN_PX), slide.pan.y);
  if (slide.pan.x === before) return false;
  event.preventDefault();
  return true;
}

function jump({ end, onUpdate, onComplete }: Parameters<PhotoSwipe["animations"]["startSpring"]>[0]): void {
  onUpdate(end);
  onComplete?.();
}

function oneToOne(): number {
  return 1 / window.devicePixelRatio;
}

function slideOf(picture: PictureView, format: string): SlideData {
  const { widths, width, height, alt } = picture;
  const file = (size: number) => pictureFile(picture, size, format);
  const largest = Math.max(...widths);
  return {
    src: file(largest),
    srcset: widths.map((size) => `${file(size)} ${size}w`).join(", "),
    width: largest,
    height: Math.round((largest * height) / width),
    alt,
  };
}

function formatInUse(): string {
  const shown = [...document.querySelectorAll<HTMLImageElement>("a[data-photo] img")];
  return shown.some(({ currentSrc }) => /\.avif\b/.test(currentSrc)) ? "avif" : "webp";
}

function nameDialog(root: HTMLElement | undefined, title: string): void {
  root?.setAttribute("aria-modal", "true");
  root?.setAttribute("aria-label", `Photos of ${title}`);
}

function toggleFullScreen(root: HTMLElement | undefined): void {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
  else void root?.requestFullscreen().catch(() => {});
}
