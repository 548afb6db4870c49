/** Alive: says nothing of the database, so that its outage does not restart the site. */
export function loader() {
  return new Response("ok\n", { headers: { "Content-Type": "text/plain", "Cache-Control": "no-store" } });
}
