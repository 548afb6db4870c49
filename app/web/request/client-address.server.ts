import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import { type Network, parseIp } from "#app/config/addresses.ts";
import { type Config, config } from "#app/config.server.ts";
import { isTrustedProxy } from "./trusted-proxies.server.ts";

/** Behind proxies, the address that the outermost one wrote: a client can forge all further left. */
export function clientAddress(
  request: { headers: Pick<Headers, "get"> },
  { trustedProxies, trustedNetworks }: Pick<Config["web"], "trustedProxies" | "trustedNetworks"> = config.web,
): string {
  const peer = request.headers.get("x-peer-address") ?? "";
  if (!isTrustedProxy(peer, trustedNetworks)) return plainAddress(peer);
  const hops = (request.headers.get("x-forwarded-for") ?? "")
    .split(",")
    .map((hop) => withoutPort(hop.trim()));
  const claimed =
    typeof trustedProxies === "number" ? hops.at(-trustedProxies) : outermost(hops, trustedNetworks);
  return plainAddress(claimed && parseIp(claimed) ? claimed : peer);
}

/** Some proxies also write the port. */
function withoutPort(hop: string): string {
  return hop.replace(/^([\d.]+):\d+$/, "$1").replace(/^\[([^\]]*)\](?::\d+)?$/, "$1");
}

/** Nobody knows who wrote the hops before an invalid address. */
function outermost(hops: string[], trusted: Network[]): string | undefined {
  let last: string | undefined;
  for (const hop of hops.toReversed()) {
    if (parseIp(hop) === null) return last;
    last = hop;
    if (!isTrustedProxy(hop, trusted)) return hop;
  }
  return last;
}

/** An IPv6 household can rotate through a whole /64. */
export function limitKey(text: string): string {
  const address = originOf(text);
  return address instanceof ipaddr.IPv6 ? `${firstGroups(address, 4)}::/64` : (address?.toString() ?? text);
}

export function limitKeyOf({ headers }: IncomingMessage): string {
  const get = (name: string) => headers[name]?.toString() ?? null;
  return limitKey(clientAddress({ headers: { get } }));
}

/** Providers give homes a /56 of IPv6 and companies a /48. */
export function widerNetworks(text: string): { net56: string; net48: string } | null {
  const address = originOf(text);
  if (!(address instanceof ipaddr.IPv6)) return null;
  const within = (bits: number) =>
    `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/${bits}`)}/${bits}`;
  return { net56: within(56), net48: within(48) };
}

/** Behind a proxy that is not trusted, all visitors share an address of these ranges. */
const NOT_OF_VISITORS = ["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"];

/** Null for addresses of this machine and of private networks. */
export function networkOf(text: string): string | null {
  const address = originOf(text);
  if (address === null || NOT_OF_VISITORS.includes(address.range())) return null;
  if (address instanceof ipaddr.IPv6) return `${firstGroups(address, 3)}::/48`;
  return `${address.octets.slice(0, 3).join(".")}.0/24`;
}

/** One spelling for each address: IPv4-mapped IPv6 becomes IPv4, and a zone goes. */
export function plainAddress(text: string): string {
  return parseIp(text)?.toString() ?? text;
}

/** Before an IPv6-only server, a translator writes a visitor's IPv4 address into the last 32 bits of one network. */
const TRANSLATED = ["rfc6052", "rfc6145"];

/** Only for counting and showing: a proxy is trusted by its own address, not by the one inside. */
function originOf(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const address = parseIp(text);
  if (!(address instanceof ipaddr.IPv6) || !TRANSLATED.includes(address.range())) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

function firstGroups(address: ipaddr.IPv6, count: number): string {
  return address.toNormalizedString().split(":").slice(0, count).join(":");
}
