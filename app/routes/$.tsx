import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { anyone } from "#app/web/session/guards.server.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Page not found", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs): Promise<never> {
  await anyone(request);
  throw new Response("Not Found", { status: 404 });
}

export async function action({ request }: ActionFunctionArgs): Promise<never> {
  await anyone(request);
  throw new Response("Not Found", { status: 404 });
}

/** The loader always throws. Remix answers in HTML only for a route with a component. */
export default function NotFoundPage() {
  return null;
}
