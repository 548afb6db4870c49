import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { anyone } from "#app/web/session/guards.server.ts";

export async function loader({ request }: LoaderFunctionArgs): Promise<never> {
  await anyone(request);
  throw new Response("Not Found", { status: 404 });
}

export async function action({ request }: ActionFunctionArgs): Promise<never> {
  await anyone(request);
  throw new Response("Not Found", { status: 404 });
}

// Remix answers in HTML only for a route with a component.
export default function NotFoundPage() {
  return null;
}
