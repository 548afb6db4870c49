import type { LoaderFunctionArgs } from "@remix-run/node";
import { DOCTOR_HEADER } from "#app/domain/health/doctor.server.ts";
import { RETRY_AFTER_SECONDS } from "#app/domain/health/outage.ts";
import { isReady } from "#app/domain/health/readiness.server.ts";
import { seenByDoctor } from "#app/web/request/doctor.server.ts";
import { isAboutToStop } from "#app/web/server/drain.server.ts";
import { anyoneOrUnknown } from "#app/web/session/guards.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  await anyoneOrUnknown(request);
  const headers = new Headers({ "Content-Type": "text/plain", "Cache-Control": "no-store" });
  const seen = seenByDoctor(request);
  if (seen) headers.set(DOCTOR_HEADER, JSON.stringify(seen));
  if (isAboutToStop()) return new Response("stopping\n", { status: 503, headers });
  if (await isReady()) return new Response("ready\n", { headers });
  headers.set("Retry-After", String(RETRY_AFTER_SECONDS));
  return new Response("the database is away or not up to date\n", { status: 503, headers });
}
