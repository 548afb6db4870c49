import type { LoaderFunctionArgs } from "@remix-run/node";
import { siteFacts } from "#app/web/pages/site-facts.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  await anyone(request);
  const lines = [
    "User-agent: *",
    "Disallow: /user/",
    "Disallow: /api/",
    "Disallow: /media/",
    `Sitemap: ${siteFacts.origin}/sitemap.xml`,
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
