import { type AnchorHTMLAttributes, forwardRef } from "react";

interface SiteLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  /** An absolute path of this site. */
  to: string;
}

/** A link that useClientNavigation() follows: rendering the router's own costs as much as the rest of a card. */
export const SiteLink = forwardRef<HTMLAnchorElement, SiteLinkProps>(({ to, ...rest }, ref) => (
  <a ref={ref} href={to} data-client="" {...rest} />
));
