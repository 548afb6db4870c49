import { isAboutToStop } from "#app/web/server/drain.server.ts";

/** Ignores the database: an outage must not restart the site or take every copy out of a load balancer. */
export function loader() {
  const headers = { "Content-Type": "text/plain", "Cache-Control": "no-store" };
  if (isAboutToStop()) return new Response("stopping\n", { status: 503, headers });
  return new Response("ok\n", { headers });
}
