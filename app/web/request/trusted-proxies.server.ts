import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isLoopbackAddress, isLoopbackHost, isWithin } from "#app/config/addresses.ts";
import { config } from "#app/config.server.ts";
import { log } from "#app/log.server.ts";
import { PROTOCOL } from "./front-requests.server.ts";

const FORWARDED = ["x-forwarded-host", "x-forwarded-for", "x-forwarded-proto", "forwarded"];
const SIGNS_OF_A_PROXY = [...FORWARDED, "via", "x-real-ip", "x-forwarded-port", "x-forwarded-server"];

let hasWarned = false;

export function isTrustedProxy(peer: string, trusted = config.web.trustedNetworks): boolean {
  return isWithin(trusted, peer);
}

/** A bare "proxy_pass" of nginx adds no header, but speaks HTTP/1.0, which no browser does. */
export function isPassedOn({ headers, httpVersion }: IncomingMessage): boolean {
  const protocol = headers[PROTOCOL] ?? `HTTP/${httpVersion}`;
  return protocol === "HTTP/1.0" || SIGNS_OF_A_PROXY.some((name) => name in headers);
}

/** Only in a demo without a proxy: on a real machine, a proxy looks like any other program. */
export function isDemosOwnMachine(unforwardedPeer: string, hostname: string): boolean {
  return (
    config.isDemo &&
    config.web.trustedProxies === 0 &&
    isLoopbackAddress(unforwardedPeer) &&
    // A proxy that names no client still forwards the public host name.
    isLoopbackHost(hostname)
  );
}

export function stripForwarded(headers: IncomingHttpHeaders, peer: string): void {
  if (isTrustedProxy(peer)) return;
  if (config.web.trustedProxies === 0 && headers["x-forwarded-for"] !== undefined) warnOnce();
  for (const name of FORWARDED) delete headers[name];
}

/** Behind an undeclared proxy all visitors count as one, and limits soon lock everybody out. */
function warnOnce(): void {
  if (hasWarned || config.isDemo) return;
  hasWarned = true;
  log.warn(
    "a request came with X-Forwarded-For while TRUST_PROXY is 0: if a proxy stands in front of this site, set TRUST_PROXY, or limits count all visitors as one",
  );
}
