/** Liveness only: it ignores the database, so that an outage does not restart the site. */
export function loader() {
  return new Response("ok\n", { headers: { "Content-Type": "text/plain", "Cache-Control": "no-store" } });
}
