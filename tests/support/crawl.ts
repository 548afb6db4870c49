import type { Site } from "./site.ts";

const AT_ONCE = 6;
const MOST_PAGES = 2_000;
const ADDRESS_ATTRIBUTES = [
  "href",
  "src",
  "poster",
  "data-src",
  "imagesrcset",
  "srcset",
  "content",
  "action",
];

const PICTURE_STEM = /\/media\/[\w/-]+\/(?:cover|blur|portrait|photo-\d+)(?=[\\"])/g;

export interface Crawled {
  /** Path and query of everything that was asked for, with the status it gave. */
  answers: Map<string, number>;
  /** Every path below /media/ that any of the answers named, in markup, script or data. */
  media: Set<string>;
  /** Everything that was sent, in one text. */
  text: string;
}

/**
 * Follows every address of this site that its pages emit, as a person with `cookie`, and the data that the site's own
 * script would ask for. Files below /media/ are collected and not fetched.
 */
export async function crawl(site: Site, cookie: string, start = ["/", "/sitemap.xml"]): Promise<Crawled> {
  const known = new Set(start);
  const queue = [...start];
  const answers = new Map<string, number>();
  const media = new Set<string>();
  const texts: string[] = [];

  const visit = async (path: string) => {
    const response = await site.fetch(path, { headers: { cookie } });
    const text = await response.text();
    answers.set(path, response.status);
    texts.push(text);
    const found = [...linksOf(response, text)];
    if (response.headers.get("content-type")?.startsWith("text/html")) found.push(dataPath(path));
    for (const address of text.match(/\/media\/[\w/-]+\.\w+(?:\?[\w=&-]*)?/g) ?? []) media.add(address);
    // Data names pictures without width and format; every one of them has this.
    for (const stem of text.match(PICTURE_STEM) ?? []) media.add(`${stem}-480.webp`);
    for (const next of found.map((link) => onThisSite(link, path)).filter((one) => one !== null)) {
      if (known.has(next) || next.startsWith("/media/")) continue;
      known.add(next);
      queue.push(next);
    }
  };
  while (queue.length > 0) {
    if (known.size > MOST_PAGES) throw new Error(`More than ${MOST_PAGES} addresses: the crawl has no end`);
    await Promise.all(queue.splice(0, AT_ONCE).map(visit));
  }
  return { answers, media, text: texts.join("\n") };
}

function* linksOf(response: Response, text: string): Generator<string> {
  const location = response.headers.get("location");
  if (location !== null) yield location;
  for (const [, address = ""] of text.matchAll(/<loc>([^<]+)<\/loc>/g)) yield address;
  if (!response.headers.get("content-type")?.startsWith("text/html")) return;
  for (const [tag, name = ""] of text.matchAll(/<([a-z]+)\b[^>]*>/g)) {
    if (name === "form" && /method="post"/i.test(tag)) continue;
    for (const attribute of ADDRESS_ATTRIBUTES) {
      const value = new RegExp(`\\s${attribute}="([^"]*)"`, "i").exec(tag)?.[1]?.replaceAll("&amp;", "&");
      if (value === undefined) continue;
      // Of a meta's content, only what looks like an address.
      if (attribute === "content" && !/^(https?:)?\//.test(value)) continue;
      if (attribute.endsWith("srcset")) yield* value.split(",").map((one) => one.trim().split(" ")[0] ?? "");
      else yield value;
    }
  }
}

/** Path and query, or null for another site. The site calls itself localhost wherever it is asked. */
function onThisSite(link: string, from: string): string | null {
  const base = new URL(from, "http://localhost");
  if (!URL.canParse(link, base)) return null;
  const { protocol, hostname, pathname, search } = new URL(link, base);
  return protocol === "http:" && hostname === "localhost" ? pathname + search : null;
}

/** Where the site's own script asks for the data of a page. */
export function dataPath(path: string): string {
  const [pathname = "", query] = path.split("?");
  return `${pathname === "/" ? "/_root" : pathname}.data${query ? `?${query}` : ""}`;
}
