import type { LoaderFunctionArgs } from "@remix-run/node";
import { listSitemapCreators, listSitemapMedia } from "#app/domain/catalog/sitemap.server.ts";
import { paths } from "#app/paths.ts";
import { anyone } from "#app/web/guards.server.ts";
import { siteFacts } from "#app/web/site-facts.server.ts";

const PUBLIC_PAGES = [
  paths.home(),
  paths.creators(),
  paths.list("video"),
  paths.list("photoSet"),
  paths.subscribe(),
  paths.about(),
  paths.privacy(),
  paths.terms(),
  paths.records(),
];

export async function loader({ request }: LoaderFunctionArgs) {
  await anyone(request);
  const creators = (await listSitemapCreators()).map((slug) => paths.creator(slug));
  const pages = [...PUBLIC_PAGES, ...creators].map((path) => entry(path));
  const media = await listSitemapMedia(pages.length);
  const entries = [...pages, ...media.map(({ type, slug, day }) => entry(paths.media(type, slug), day))];
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join("\n")}
</urlset>
`;
  return new Response(xml, {
    headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}

/** Slugs hold nothing that XML would read as its own. */
function entry(path: string, day?: string): string {
  const changed = day === undefined ? "" : `<lastmod>${day}</lastmod>`;
  return `<url><loc>${siteFacts.origin}${path}</loc>${changed}</url>`;
}
