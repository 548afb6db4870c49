import { Link } from "@remix-run/react";
import { useAddressQuery, useOpening, withQuery } from "./address.ts";
import bar from "./bar.module.css";

interface SizeLinksProps {
  sizes: number[];
  chosen: number;
  onChoose: (size: number) => void;
}

/** Plain links work without JavaScript; with it, playback continues. */
export function SizeLinks({ sizes, chosen, onChoose }: SizeLinksProps) {
  const search = useAddressQuery();
  const opening = useOpening();
  return (
    <nav className={bar.links} aria-label="Size">
      {sizes.map((size) => (
        <Link
          key={size}
          to={withQuery(search, "q", size)}
          state={{ opening }}
          preventScrollReset
          onClick={() => onChoose(size)}
          aria-current={size === chosen ? "true" : undefined}
        >
          {size}p
        </Link>
      ))}
    </nav>
  );
}
