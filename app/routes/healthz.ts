import { isAboutToStop } from "#app/web/server/drain.server.ts";

/** Ignores the database, so that an outage neither restarts the site nor makes a balancer leave all copies. */
export function loader() {
  const headers = { "Content-Type": "text/plain", "Cache-Control": "no-store" };
  if (isAboutToStop()) return new Response("stopping\n", { status: 503, headers });
  return new Response("ok\n", { headers });
}
