import { proxyNetworks, type TrustedProxies } from "../config/trusted-proxies.ts";

const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`;
const IPV4 = String.raw`(?:${OCTET}\.){3}${OCTET}`;
/** Match an address with or without a port. Of IPv6, only the first 64 bits count, as far as a pattern can tell. */
const WRITTEN_NETWORKS = [
  `"~*^(?:::ffff:)?(${IPV4})(?::\\d+)?$" $1;`,
  // Translated from IPv4: the whole address stands for the one inside.
  String.raw`"~*^\[?((?:64:ff9b:|::ffff:0:)[\w:.]+)" $1;`,
  '"~*^\\[?((?:[0-9a-f]{1,4}:){3}[0-9a-f]{1,4}):" $1;',
  '"~*^\\[?((?:[0-9a-f]{1,4}:){0,2}[0-9a-f]{0,4}):" $1;',
];
/** A household has a whole /64 of IPv6. IPv4 inside IPv6 counts as IPv4. */
const BINARY_NETWORKS = [
  String.raw`"~(?s)^\x00{10}\xff\xff(.{4})$" $1;`,
  String.raw`"~(?s)^\x00{8}\xff\xff\x00\x00(.{4})$" $1;`,
  String.raw`"~(?s)^\x00\x64\xff\x9b(?:\x00{8}|\x00\x01.{6})(.{4})$" $1;`,
  '"~(?s)^(.{8}).{8}$" $1;',
];

/** Sets `$connection_key` as web/request/client-address does. tests/front/addresses.test.ts compares the two. */
export function visitorAddress(trusted: TrustedProxies): string {
  const networks = proxyNetworks(trusted);
  const proxies = `geo $realip_remote_addr $is_proxy { default 0; ${networks.map((network) => `${network} 1;`).join(" ")} }`;
  if (typeof trusted === "number" && trusted > 1) return [proxies, countedHop(trusted)].join("\n");
  return [
    proxies,
    ...networks.map((network) => `set_real_ip_from ${network};`),
    "real_ip_header X-Forwarded-For;",
    // With recursion, nginx would believe what a client in a private network wrote into the header.
    `real_ip_recursive ${typeof trusted === "number" ? "off" : "on"};`,
    `map $binary_remote_addr $connection_key { volatile; default $binary_remote_addr; ${BINARY_NETWORKS.join(" ")} }`,
  ].join("\n");
}

/** The real_ip module cannot count hops. */
function countedHop(hops: number): string {
  const hop = String.raw`(?:^|,)\s*([^\s,]+)\s*(?:,[^,]*){${hops - 1}}$`;
  return [
    `map $http_x_forwarded_for $forwarded_hop { volatile; default ""; "~${hop}" $1; }`,
    `map $forwarded_hop $forwarded_network { volatile; default ""; ${WRITTEN_NETWORKS.join(" ")} }`,
    `map $binary_remote_addr $peer_network { volatile; default $binary_remote_addr; ${BINARY_NETWORKS.join(" ")} }`,
    `map "$is_proxy $forwarded_network" $connection_key { volatile; default $peer_network; "~^1 (.+)$" $1; }`,
  ].join("\n");
}
