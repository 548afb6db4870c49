import type { Site } from "./site.ts";

const AT_ONCE = 6;
const MAX_PAGES = 2_000;
const ADDRESS_ATTRIBUTES = [
  "href",
  "src",
  "poster",
  "data-src",
  "imagesrcset",
  "srcset",
  "content",
  "action",
].map((name) => ({ name, pattern: new RegExp(`\\s${name}="([^"]*)"`, "i") }));

const PICTURE_STEM = /\/media\/[\w/-]+\/(?:cover|blur|portrait|photo-\d+)(?=[\\"])/g;

export interface Crawled {
  /** The status of every requested path and query. */
  answers: Map<string, number>;
  /** The Cache-Control header by path and query; repeated headers are joined by commas. */
  lifetimes: Map<string, string | null>;
  /** Every path below /media/ in any response, in markup, script or data. */
  media: Set<string>;
  /** All response bodies in one text. */
  text: string;
}

/**
 * Follows every address of this site in its pages, as a person with `cookie`, and the data addresses that the site's
 * own script would request. Files below /media/ are collected but not fetched.
 */
export async function crawl(site: Site, cookie: string, start = ["/", "/sitemap.xml"]): Promise<Crawled> {
  const known = new Set(start);
  const queue = [...start];
  const answers = new Map<string, number>();
  const lifetimes = new Map<string, string | null>();
  const media = new Set<string>();
  const texts: string[] = [];

  const visit = async (path: string) => {
    const response = await site.fetch(path, { headers: { cookie } });
    const text = await response.text();
    answers.set(path, response.status);
    lifetimes.set(path, response.headers.get("cache-control"));
    texts.push(text);
    const found = [...linksOf(response, text)];
    if (response.headers.get("content-type")?.startsWith("text/html")) found.push(dataPath(path));
    for (const address of text.match(/\/media\/[\w/-]+\.\w+(?:\?[\w=&-]*)?/g) ?? []) media.add(address);
    // Data names pictures without width and format; all of them exist in this one.
    for (const stem of text.match(PICTURE_STEM) ?? []) media.add(`${stem}-480.webp`);
    for (const next of found.map((link) => onThisSite(link, path)).filter((one) => one !== null)) {
      if (known.has(next) || next.startsWith("/media/")) continue;
      known.add(next);
      queue.push(next);
    }
  };
  while (queue.length > 0) {
    if (known.size > MAX_PAGES) throw new Error(`More than ${MAX_PAGES} addresses: the crawl has no end`);
    await Promise.all(queue.splice(0, AT_ONCE).map(visit));
  }
  return { answers, lifetimes, media, text: texts.join("\n") };
}

function* linksOf(response: Response, text: string): Generator<string> {
  const location = response.headers.get("location");
  if (location !== null) yield location;
  for (const [, address = ""] of text.matchAll(/<loc>([^<]+)<\/loc>/g)) yield address;
  if (!response.headers.get("content-type")?.startsWith("text/html")) return;
  for (const [tag, name = ""] of text.matchAll(/<([a-z]+)\b[^>]*>/g)) {
    if (name === "form" && /method="post"/i.test(tag)) continue;
    for (const attribute of ADDRESS_ATTRIBUTES) {
      const value = attribute.pattern.exec(tag)?.[1]?.replaceAll("&amp;", "&");
      if (value === undefined) continue;
      // Only address-like content of meta elements counts.
      if (attribute.name === "content" && !/^(https?:)?\//.test(value)) continue;
      if (attribute.name.endsWith("srcset"))
        yield* value.split(",").map((one) => one.trim().split(" ")[0] ?? "");
      else yield value;
    }
  }
}

/** Path and query, or null for another site. The site's origin is always localhost. */
function onThisSite(link: string, from: string): string | null {
  const base = new URL(from, "http://localhost");
  if (!URL.canParse(link, base)) return null;
  const { protocol, hostname, pathname, search } = new URL(link, base);
  return protocol === "http:" && hostname === "localhost" ? pathname + search : null;
}

/** The address from which the site's own script loads a page's data. */
export function dataPath(path: string): string {
  const [pathname = "", query] = path.split("?");
  return `${pathname === "/" ? "/_root" : pathname}.data${query ? `?${query}` : ""}`;
}
