import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { matchPath } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { parseMarkdown } from "#app/ui/prose/markdown.ts";
import { ProsePage } from "#app/ui/prose/prose-page.tsx";
import type { PageHandle } from "#app/web/pages/page-cache.server.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { readSitePage, type SitePageName } from "#app/web/pages/site-page.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";

/** app/routes.ts has the same addresses. */
const PAGES: { name: SitePageName; path: string; title: string }[] = [
  { name: "about", path: paths.about(), title: "About" },
  { name: "privacy", path: paths.privacy(), title: "Privacy" },
  { name: "terms", path: paths.terms(), title: "Terms and Conditions" },
  { name: "records", path: paths.records(), title: "18 U.S.C. 2257 Compliance Statement" },
];

export const handle: PageHandle = { isSharedBySignedOut: true };
export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta({ title: data?.title, canonical: data?.path });

export async function loader({ request }: LoaderFunctionArgs) {
  await anyone(request);
  const pathname = decodeURI(new URL(request.url).pathname);
  const page = PAGES.find(({ path }) => matchPath(path, pathname));
  if (page === undefined) throw new Response("Not Found", { status: 404 });
  return { ...page, prose: parseMarkdown(await readSitePage(page.name)) };
}

export default ProsePage;
