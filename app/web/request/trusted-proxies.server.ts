import type { IncomingHttpHeaders } from "node:http";
import { isWithin, type Network, parseNetwork } from "#app/config/addresses.ts";
import { proxyNetworks, type TrustedProxies } from "#app/config/trusted-proxies.ts";
import { config } from "#app/config.server.ts";
import { log } from "#app/log.server.ts";

const FORWARDED = ["x-forwarded-host", "x-forwarded-for", "x-forwarded-proto", "forwarded"];

const networks = new WeakMap<string[], Network[]>();
let hasWarned = false;

export function isTrustedProxy(peer: string, trusted: TrustedProxies = config.web.trustedProxies): boolean {
  return trusted !== 0 && isWithin(networksOf(proxyNetworks(trusted)), peer);
}

export function isForwarded(headers: IncomingHttpHeaders): boolean {
  return FORWARDED.some((name) => name in headers);
}

/** Removes forwarding headers unless a trusted proxy sent them. */
export function settleForwarded(headers: IncomingHttpHeaders, peer: string): void {
  if (isTrustedProxy(peer)) return;
  if (config.web.trustedProxies === 0 && headers["x-forwarded-for"] !== undefined) warnOnce();
  for (const name of FORWARDED) delete headers[name];
}

/** Behind an undeclared proxy all visitors count as one, and the limits soon lock everybody out. */
function warnOnce(): void {
  if (hasWarned || config.isDemo) return;
  hasWarned = true;
  log.warn(
    "a request came with X-Forwarded-For while TRUST_PROXY is 0: if a proxy stands in front of this site, set TRUST_PROXY, or limits count all visitors as one",
  );
}

function networksOf(trusted: string[]): Network[] {
  const known = networks.get(trusted);
  if (known) return known;
  const parsed = trusted.map(parseNetwork).filter((network) => network !== null);
  networks.set(trusted, parsed);
  return parsed;
}
