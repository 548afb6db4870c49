import { PrefetchPageLinks } from "@remix-run/react";
import {
  type AnchorHTMLAttributes,
  type ComponentProps,
  forwardRef,
  useEffect,
  useRef,
  useState,
} from "react";
import { paths } from "#app/paths.ts";

interface SiteLinkProps
  extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href" | "target" | "download"> {
  to: string;
}

/** useClientNavigation() follows it, because the router's own link is slow to render. */
export const SiteLink = forwardRef<HTMLAnchorElement, SiteLinkProps>(({ to, ...rest }, ref) => (
  <a ref={ref} href={to} data-client="" {...rest} />
));

const PREFETCH_MARGIN = "200px";

/**
 * Prefetches near the viewport, but not searches, which count against the visitor's limit, nor a member's own lists, which the
 * browser would keep for seconds after a heart has changed them.
 */
export function PrefetchLink({ to, ...rest }: ComponentProps<typeof SiteLink>) {
  const anchor = useRef<HTMLAnchorElement>(null);
  const [isNear, setIsNear] = useState(false);

  useEffect(() => {
    if (!anchor.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        setIsNear(true);
      },
      { rootMargin: PREFETCH_MARGIN },
    );
    observer.observe(anchor.current);
    return () => observer.disconnect();
  }, []);

  return (
    <>
      <SiteLink ref={anchor} to={to} {...rest} />
      {isNear && !isSearch(to) && !isOwnList(to) ? <PrefetchPageLinks page={to} /> : null}
    </>
  );
}

function isOwnList(address: string): boolean {
  return [paths.favorites(), paths.history()].some((list) => address.startsWith(list));
}

function isSearch(address: string): boolean {
  return new URLSearchParams(address.split("?")[1]).has("q");
}
