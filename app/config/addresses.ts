import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** In IPv6, which contains IPv4 as ::ffff:0:0/96. */
export type Network = [ipaddr.IPv6, number];

/** The deprecated "::192.0.2.1", which the library mistakes for "::ffff:192.0.2.1". */
const IPV4_COMPATIBLE = /^::\d+\./;
const IPV6_BITS = 128;
const IPV4_BITS = 32;

/** Returns an IPv4-mapped IPv6 address as IPv4, without its zone; null when the text is no address. */
export function parseIp(text: string): Address | null {
  const plain = text.replace(/%.*$/, "");
  // The library also reads "127.1", "0x7f000001" and octal parts, which other programs read differently.
  return isIP(plain) === 0 || IPV4_COMPATIBLE.test(plain) ? null : ipaddr.process(plain);
}

/** Reads an address or a network such as "10.0.0.0/8"; null for anything else. */
export function parseNetwork(text: string): Network | null {
  const [, host = "", prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseIp(host);
  const bits = host.includes(":") ? IPV6_BITS : IPV4_BITS;
  const length = Number(prefix ?? bits);
  return address === null || length > bits ? null : [toIPv6(address), IPV6_BITS - bits + length];
}

export function networkText([address, length]: Network): string {
  return address.isIPv4MappedAddress()
    ? `${address.toIPv4Address()}/${length - (IPV6_BITS - IPV4_BITS)}`
    : `${address}/${length}`;
}

export function isWithin(networks: Network[], text: string): boolean {
  const address = parseIp(text);
  return address !== null && networks.some((network) => toIPv6(address).match(network));
}

export function isLoopbackAddress(text: string): boolean {
  return parseIp(text)?.range() === "loopback";
}

/** Whether a hostname always means this machine, whatever DNS says. */
export function isLoopbackHost(hostname: string): boolean {
  const plain = withoutBrackets(hostname.toLowerCase());
  return isLoopbackAddress(plain) || plain === "localhost" || plain.endsWith(".localhost");
}

/** Localhost or an IP address, with any port: DNS rebinding can point another site's name here, but none of these. */
export function isLocalHost(host: string): boolean {
  if (/[@/\\?#]|\.(?::|$)/.test(host) || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return isLoopbackHost(hostname) || parseIp(withoutBrackets(hostname)) !== null;
}

function toIPv6(address: Address): ipaddr.IPv6 {
  return address instanceof ipaddr.IPv4 ? address.toIPv4MappedAddress() : address;
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}
