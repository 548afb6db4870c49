import { useLocation, useNavigate, useNavigation, useRevalidator } from "@remix-run/react";
import {
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { gridPageAt, paths } from "#app/paths.ts";
import { useFavoriteForms } from "#app/ui/cards/favorite-forms.tsx";
import { opensOtherTab } from "#app/ui/navigation/modifier-keys.ts";
import { savesData } from "#app/ui/parts/saves-data.ts";
import type { Lightbox } from "./lightbox.tsx";
import { LOADED_WITHIN_MS, loadLightboxSet, nearestPhoto, type ReceivedSet } from "./lightbox-set.ts";
import styles from "./opening.module.css";
import { createPrefetch } from "./prefetch.ts";
import { thumbnailOf } from "./thumbnail.ts";

interface Opened {
  View: typeof Lightbox;
  set: ReceivedSet;
  position: number;
  key: string;
}

interface LightboxArea {
  /** For the element around links with a photo's position as `data-photo`. */
  area: { onClick(event: MouseEvent): void; onPointerOver(event: PointerEvent): void };
  lightbox: ReactNode;
  isOpen: boolean;
}

/**
 * A press follows its link without scripts, or if the list does not come in time. `shown`: the position of the photo whose own
 * page this is; null on the set's page.
 */
export function useLightbox(slug: string, shown: number | null): LightboxArea {
  const navigate = useNavigate();
  const { key, search } = useLocation();
  const as = new URLSearchParams(search).get("as") ?? undefined;
  const list = paths.photoList(slug, { as });
  const goingTo = useNavigation().location;
  const isIdle = useRevalidator().state === "idle" && goingTo === undefined;
  // Closing the lightbox navigates too, back to the key of this page.
  const isNavigating = goingTo !== undefined && goingTo.key !== key;
  const [latest, setLatest] = useState<Opened | null>(null);
  const opened = latest?.key === key ? latest : null;
  const [prefetch] = useState(() => createPrefetch(load));
  const { presses } = useFavoriteForms();
  const lastPress = useRef(0);
  const toFocus = useRef<number | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a press counts for the page on which it was made.
  useEffect(
    () => () => {
      lastPress.current++;
      setLatest(null);
    },
    [key, isNavigating],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: an earlier list may lack what has been saved since.
  useEffect(() => prefetch.forget(), [prefetch, isIdle, presses]);
  const open = async (position: number, link: HTMLAnchorElement) => {
    if (opened) return;
    showOpening(link, true);
    const press = ++lastPress.current;
    const isLast = () => press === lastPress.current;
    try {
      const loaded = await Promise.race([prefetch.get(list), failure(LOADED_WITHIN_MS)]);
      const nearest = nearestPhoto(loaded.set, position)?.position ?? position;
      if (isLast()) setLatest((current) => current ?? { ...loaded, position: nearest, key });
    } catch {
      if (!isLast()) return;
      if (shown === null) navigate(link.pathname + link.search);
      // On the photo's own page the link leads to a file, which the router cannot open.
      else window.location.assign(link.href);
    } finally {
      showOpening(link, false);
      prefetch.forget();
    }
  };
  const addressOf = useCallback((position: number) => paths.photo(slug, position, { as }), [slug, as]);
  const onClosed = useCallback(
    (position: number) => {
      setLatest(null);
      if (shown === null ? thumbnailOf(position) : position === shown) return focusPhoto(position);
      const index = opened?.set.photos.findIndex((photo) => photo.position === position) ?? 0;
      toFocus.current = position;
      navigate(
        shown === null ? paths.media("photoSet", slug, { ...gridPageAt(index), as }) : addressOf(position),
        {
          replace: true,
          preventScrollReset: shown === null,
        },
      );
    },
    [navigate, addressOf, shown, opened, slug, as],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another page of the grid, or of a photo, has come.
  useEffect(() => {
    if (toFocus.current !== null) focusPhoto(toFocus.current);
    // Again after its data has been reloaded, because the router then restores the earlier scroll position.
  }, [key, isIdle]);
  useEffect(() => {
    const listening = new AbortController();
    const forget = () => {
      toFocus.current = null;
    };
    for (const input of ["keydown", "pointerdown", "wheel"]) {
      document.addEventListener(input, forget, { capture: true, passive: true, signal: listening.signal });
    }
    return () => listening.abort();
  }, []);

  return {
    area: {
      onClick(event) {
        const link = photoLink(event);
        if (!link || event.defaultPrevented || opensOtherTab(event)) return;
        event.preventDefault();
        void open(Number(link.dataset.photo), link);
      },
      onPointerOver(event) {
        // Scrolling fingers cross photos.
        if (event.pointerType === "touch" || savesData()) return;
        if (photoLink(event) && !opened) prefetch.begin(list);
      },
    },
    lightbox: opened ? (
      <opened.View
        set={opened.set}
        list={list}
        startAt={opened.position}
        addressOf={addressOf}
        leadsToPages={shown === null}
        onClosed={onClosed}
      />
    ) : null,
    isOpen: opened !== null,
  };
}

async function load(list: string) {
  const [{ Lightbox: View }, set] = await Promise.all([import("./lightbox.tsx"), loadLightboxSet(list)]);
  return { View, set };
}

function failure(afterMs: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(reject, afterMs, new Error("The lightbox did not come in time"));
  });
}

/** Changes the element itself, because the page renders its links without this state. */
function showOpening(link: HTMLAnchorElement, isOpening: boolean): void {
  link.classList.toggle(styles.opening ?? "", isOpening);
  if (isOpening) link.setAttribute("aria-busy", "true");
  else link.removeAttribute("aria-busy");
}

function photoLink({ target }: MouseEvent): HTMLAnchorElement | null {
  return target instanceof Element ? target.closest<HTMLAnchorElement>("a[data-photo]") : null;
}

/** The link of the photo that was shown last, not of the one that was pressed. */
function focusPhoto(position: number): void {
  const link = thumbnailOf(position)?.closest("a");
  link?.focus({ preventScroll: true });
  link?.scrollIntoView({ block: "nearest" });
}
