import { Link } from "@remix-run/react";
import { useAddressQuery, useOpening, withQuery } from "./address.ts";
import bar from "./bar.module.css";

interface QualityLinksProps {
  /** Shorter sides in pixels, longest first. */
  qualities: number[];
  chosen: number;
  onChoose: (quality: number) => void;
}

/** Plain links work without JavaScript; with it, playback continues. */
export function QualityLinks({ qualities, chosen, onChoose }: QualityLinksProps) {
  const search = useAddressQuery();
  const opening = useOpening();
  return (
    <nav className={bar.links} aria-label="Quality">
      {qualities.map((quality) => (
        <Link
          key={quality}
          to={withQuery(search, "q", quality)}
          state={{ opening }}
          preventScrollReset
          onClick={() => onChoose(quality)}
          aria-current={quality === chosen ? "true" : undefined}
        >
          {quality}p
        </Link>
      ))}
    </nav>
  );
}
