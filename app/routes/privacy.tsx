import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { paths } from "#app/paths.ts";
import { parseMarkdown } from "#app/ui/prose/markdown.ts";
import { ProsePage } from "#app/ui/prose/prose-page.tsx";
import type { PageHandle } from "#app/web/pages/page-cache.server.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { readSitePage } from "#app/web/pages/site-page.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";

export const handle: PageHandle = { isSharedBySignedOut: true };
export const meta: MetaFunction<typeof loader> = () =>
  pageMeta({ title: "Privacy", canonical: paths.privacy() });

export async function loader({ request }: LoaderFunctionArgs) {
  await anyone(request);
  return { prose: parseMarkdown(await readSitePage("privacy")) };
}

export default ProsePage;
