import type { LoaderFunctionArgs } from "@remix-run/node";
import { RETRY_AFTER_SECONDS } from "#app/domain/health/outage.ts";
import { isReady } from "#app/domain/health/readiness.server.ts";
import { anyoneOrUnknown } from "#app/web/session/guards.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  await anyoneOrUnknown(request);
  const headers = { "Content-Type": "text/plain", "Cache-Control": "no-store" };
  if (await isReady()) return new Response("ready\n", { headers });
  return new Response("the database is away or not up to date\n", {
    status: 503,
    headers: { ...headers, "Retry-After": String(RETRY_AFTER_SECONDS) },
  });
}
