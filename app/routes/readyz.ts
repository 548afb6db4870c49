import type { LoaderFunctionArgs } from "@remix-run/node";
import { DOCTOR_HEADER, isDoctorKey, type SeenRequest } from "#app/domain/health/doctor.server.ts";
import { isReady } from "#app/domain/health/readiness.server.ts";
import { RETRY_AFTER_SECONDS, setRetryAfter } from "#app/web/request/retry-after.ts";
import { isTrustedProxy } from "#app/web/request/trusted-proxies.server.ts";
import { isAboutToStop } from "#app/web/server/drain.server.ts";
import { anyoneOrUnknown } from "#app/web/session/guards.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  await anyoneOrUnknown(request);
  const headers = new Headers({ "Content-Type": "text/plain", "Cache-Control": "no-store" });
  const seen = seenByDoctor(request);
  if (seen) headers.set(DOCTOR_HEADER, JSON.stringify(seen));
  const isEnding = isAboutToStop();
  if (!isEnding && (await isReady())) return new Response("ready\n", { headers });
  setRetryAfter(headers, RETRY_AFTER_SECONDS.busy);
  const reason = isEnding ? "the site is ending" : "the database is unreachable or not up to date";
  return new Response(`${reason}\n`, { status: 503, headers });
}

function seenByDoctor({ headers }: Request): SeenRequest | null {
  if (!isDoctorKey(headers.get(DOCTOR_HEADER) ?? "")) return null;
  const hops = headers.get("x-forwarded-for")?.split(",") ?? [];
  const peer = headers.get("x-peer-address") ?? "";
  return {
    // Empty behind a proxy, even where the server hook removes the headers of an untrusted one.
    isForwarded: !headers.get("x-unforwarded-peer"),
    proxies: hops.length,
    peer,
    isTrusted: isTrustedProxy(peer),
    // The doctor sends none, so the first hop is the doctor itself.
    unnamed:
      hops
        .slice(1)
        .find((hop) => !isTrustedProxy(hop.trim()))
        ?.trim() ?? null,
  };
}
