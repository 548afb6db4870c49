import { useNavigate } from "@remix-run/react";
import { type MouseEvent, type ReactNode, useCallback, useRef, useState } from "react";
import { paths } from "#app/paths.ts";
import type { PhotoViewer } from "./photo-viewer.tsx";
import { loadViewerSet, type ViewerSet } from "./viewer-set.ts";

interface Opened {
  Viewer: typeof PhotoViewer;
  set: ViewerSet;
  position: number;
}

interface ViewerArea {
  /** For the element around the links that open the viewer: each has the photo's position as `data-photo`. */
  area: { onClick(event: MouseEvent): void; onPointerOver(event: MouseEvent): void };
  viewer: ReactNode;
  isOpen: boolean;
}

/**
 * Opens the viewer over the page. Its scripts and the list of photos come when a link is pointed at; without either the
 * link leads to the photo's page.
 *
 * `shown`: the photo of this page; null on the page of the set.
 */
export function usePhotoViewer(slug: string, shown: number | null): ViewerArea {
  const navigate = useNavigate();
  const [opened, setOpened] = useState<Opened | null>(null);
  const isOpening = useRef(false);
  const coming = useRef<ReturnType<typeof load> | null>(null);

  const prepare = () => {
    coming.current ??= load(slug);
    // The click tells of a failure.
    coming.current.catch(() => {});
    return coming.current;
  };
  const open = async (position: number, fallback: string) => {
    if (isOpening.current) return;
    isOpening.current = true;
    try {
      setOpened({ ...(await prepare()), position });
    } catch {
      navigate(fallback);
    } finally {
      // Photos may be other ones the next time.
      coming.current = null;
      isOpening.current = false;
    }
  };
  const onClosed = useCallback(
    (position: number) => {
      setOpened(null);
      if (shown === null) return focusPhoto(position);
      if (position !== shown) navigate(paths.photo(slug, position), { replace: true });
      else focusPhoto(position);
    },
    [navigate, slug, shown],
  );

  return {
    area: {
      onClick(event) {
        const link = photoLink(event);
        const opensOtherTab = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
        if (!link || event.defaultPrevented || opensOtherTab || event.button !== 0) return;
        event.preventDefault();
        const position = Number(link.dataset.photo);
        void open(position, paths.photo(slug, position));
      },
      onPointerOver(event) {
        if (photoLink(event) && !opened) void prepare();
      },
    },
    viewer: opened ? (
      <opened.Viewer slug={slug} set={opened.set} startAt={opened.position} onClosed={onClosed} />
    ) : null,
    isOpen: opened !== null,
  };
}

async function load(slug: string) {
  const [{ PhotoViewer: Viewer }, set] = await Promise.all([
    import("./photo-viewer.tsx"),
    loadViewerSet(slug),
  ]);
  return { Viewer, set };
}

function photoLink({ target }: MouseEvent): HTMLAnchorElement | null {
  return target instanceof Element ? target.closest<HTMLAnchorElement>("a[data-photo]") : null;
}

/** Back to where the person is now, not to where they began. */
function focusPhoto(position: number): void {
  const link = document.querySelector<HTMLAnchorElement>(`a[data-photo="${position}"]:has(img)`);
  link?.focus({ preventScroll: true });
  link?.scrollIntoView({ block: "nearest" });
}
