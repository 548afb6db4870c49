import { config } from "#app/config.server.ts";

/** Asked for by whoever watches over the process, by whatever name it has inside. */
const PROBES = new Set(["/healthz", "/readyz"]);
const OWN = new URL(config.origin);

/** Throws a 421 when a hosted site is asked for by a name that is not its own. The demo answers to every name. */
export function assertKnownHost(request: Request): void {
  if (config.isDemo || PROBES.has(new URL(request.url).pathname)) return;
  const asked = `${OWN.protocol}//${hostAskedFor(request.headers)}`;
  // Through URL, so that case and the usual port do not matter.
  if (URL.canParse(asked) && new URL(asked).origin === OWN.origin) return;
  throw new Response("Request Failed", { status: 421 });
}

/** Proxies that rename the host tell its name apart; where no proxy is trusted, the server hook has removed that. */
function hostAskedFor(headers: Headers): string {
  const forwarded = headers.get("x-forwarded-host")?.split(",") ?? [];
  return (forwarded.at(-config.web.trustedProxies) ?? headers.get("host") ?? "").trim();
}
