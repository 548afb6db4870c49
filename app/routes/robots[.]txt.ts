import type { LoaderFunctionArgs } from "@remix-run/node";
import { anyone } from "#app/web/guards.server.ts";
import { siteFacts } from "#app/web/site-facts.server.ts";

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
