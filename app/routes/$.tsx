import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { anyone } from "#app/web/guards.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Page not found", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs): Promise<never> {
  await anyone(request);
  throw new Response("Not Found", { status: 404 });
}

export async function action({ request }: ActionFunctionArgs): Promise<never> {
  await anyone(request);
  throw new Response("Not Found", { status: 404 });
}

/** The loader always throws; a route with a page is what makes Remix answer in HTML. */
export default function NotFoundPage() {
  return null;
}
