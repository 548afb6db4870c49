import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "#app/paths.ts";
import { siteFacts } from "#app/web/pages/site-facts.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";

// The age gate hides all other pages, even their titles.
const PAGES = [paths.enter(), paths.about(), paths.privacy(), paths.terms(), paths.records()];

export async function loader({ request }: LoaderFunctionArgs) {
  await anyone(request);
  const entries = PAGES.map((path) => `<url><loc>${siteFacts.origin}${path}</loc></url>`);
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join("\n")}
</urlset>
`;
  return new Response(xml, {
    headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
