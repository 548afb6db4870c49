import type { MetaDescriptor } from "@remix-run/react";

/** Tells parents' filters that this is adult material. */
export const RTA_LABEL = "RTA-5042-1996-1400-1577-RTA";

interface PageMeta {
  title?: string | undefined;
  description?: string | undefined;
  robots?: "follow, index" | "noindex";
  /** Never an explicit picture. */
  image?: string;
  canonical?: string;
}

interface Icon {
  rel: string;
  href: string;
  sizes?: string;
  type?: string;
}

interface Site {
  siteName: string;
  origin: string;
  look?: { share?: string | undefined; icons?: Icon[] | undefined } | undefined;
}

const DEFAULT_ICONS: Icon[] = [
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/peony.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
];

let site: Site = { siteName: "", origin: "" };

/** Root's meta calls this first. A process serves one site, so no visitor's data can leak. */
export function setSite({ siteName, origin, look }: Site): void {
  site = { siteName, origin, look };
}

/** Remix asks for links after the meta of the page, without the loader's data. */
export function iconLinks(): Icon[] {
  return site.look?.icons ?? DEFAULT_ICONS;
}

/** Complete, because in Remix the deepest meta replaces its parents'. */
export function pageMeta({
  title,
  description,
  robots = "follow, index",
  image = site.look?.share ?? "/og.png",
  canonical,
}: PageMeta = {}): MetaDescriptor[] {
  const name = title ?? site.siteName;
  const words = description ?? site.siteName;
  const picture = absolute(image);
  const address = canonical === undefined ? undefined : absolute(canonical);
  return [
    { title: title === undefined ? site.siteName : `${title} · ${site.siteName}` },
    { name: "description", content: words },
    { name: "robots", content: robots },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: site.siteName },
    { property: "og:title", content: name },
    { property: "og:description", content: words },
    { property: "og:image", content: picture },
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:title", content: name },
    { name: "twitter:description", content: words },
    { name: "twitter:image", content: picture },
    ...(address === undefined
      ? []
      : [
          { property: "og:url", content: address },
          { tagName: "link" as const, rel: "canonical", href: address },
        ]),
  ];
}

function absolute(path: string): string {
  return `${site.origin}${path}`;
}
