import { type AnchorHTMLAttributes, forwardRef } from "react";

interface SiteLinkProps
  extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href" | "target" | "download"> {
  to: string;
}

/** A link that useClientNavigation() follows, because the router's own is slow to render. */
export const SiteLink = forwardRef<HTMLAnchorElement, SiteLinkProps>(({ to, ...rest }, ref) => (
  <a ref={ref} href={to} data-client="" {...rest} />
));
