import { isIPv4, isIPv6 } from "node:net";
import { config } from "#app/config.server.ts";

/**
 * Who is at the other end: the peer of the connection or, behind as many proxies as the host has declared, what the
 * outermost of them wrote. Anything further left in the header is the client's own word.
 */
export function clientAddress(request: Request, trustedProxies = config.web.trustedProxies): string {
  const peer = request.headers.get("x-peer-address") ?? "";
  const hops = (request.headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
  const claimed = trustedProxies > 0 ? hops.at(-trustedProxies) : undefined;
  return plain(claimed && (isIPv4(claimed) || isIPv6(claimed)) ? claimed : peer);
}

/** What limits are counted by: a household of IPv6 has a whole /64 to rotate through. */
export function limitKey(address: string): string {
  return isIPv6(address) ? `${groups(address).slice(0, 4).join(":")}::/64` : address;
}

/** The part shown in the list of devices: /24 or /48. Null for the machine itself, which is in none. */
export function networkOf(address: string): string | null {
  if (address === "::1" || address.startsWith("127.")) return null;
  if (isIPv4(address)) return `${address.split(".").slice(0, 3).join(".")}.0/24`;
  return isIPv6(address) ? `${groups(address).slice(0, 3).join(":")}::/48` : null;
}

function plain(address: string): string {
  const mapped = address.toLowerCase().replace(/^::ffff:/, "");
  return isIPv4(mapped) ? mapped : address.toLowerCase().replace(/%.*$/, "");
}

/** All eight groups, without leading zeros. */
function groups(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(Math.max(gap, 0)).fill("0"), ...right].map((group) =>
    group.replace(/^0+(?=.)/, ""),
  );
}
