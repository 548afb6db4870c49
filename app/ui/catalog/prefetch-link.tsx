import { Link, type LinkProps, PrefetchPageLinks } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

const PREFETCH_MARGIN = "200px";

/** For lists, pages of lists and creators: what it leads to is fetched once it comes near the screen. */
export function PrefetchLink({ to, ...rest }: Omit<LinkProps, "to"> & { to: string }) {
  const anchor = useRef<HTMLAnchorElement>(null);
  const [isNear, setIsNear] = useState(false);

  useEffect(() => {
    if (!anchor.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setIsNear(true),
      { rootMargin: PREFETCH_MARGIN },
    );
    observer.observe(anchor.current);
    return () => observer.disconnect();
  }, []);

  return (
    <>
      <Link ref={anchor} to={to} {...rest} />
      {isNear ? <PrefetchPageLinks page={to} /> : null}
    </>
  );
}
