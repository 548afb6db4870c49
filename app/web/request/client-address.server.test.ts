import { expect, test } from "vitest";
import { parseNetworks } from "#app/config/trusted-proxies.ts";
import { clientAddress, limitKey, networkOf, widerNetworks } from "./client-address.server.ts";

const PEER = "10.0.0.9";

function seen(forwarded: string | null, proxies: number | string[], peer = PEER): string {
  const headers = new Headers({ "x-peer-address": peer });
  if (forwarded !== null) headers.set("x-forwarded-for", forwarded);
  const web = { trustedProxies: proxies, trustedNetworks: parseNetworks(proxies) };
  return clientAddress(new Request("https://peony.example/", { headers }), web);
}

test("without a proxy the peer is the client, whatever a header claims", () => {
  expect(seen("203.0.113.7", 0)).toBe(PEER);
  for (let index = 0; index < 200; index++) expect(seen(`203.0.113.${index}, 1.1.1.1`, 0)).toBe(PEER);
});

test.each([
  ["203.0.113.7", 1, "203.0.113.7"],
  ["6.6.6.6, 203.0.113.7", 1, "203.0.113.7"],
  ["6.6.6.6,  5.5.5.5 ,203.0.113.7", 1, "203.0.113.7"],
  ["6.6.6.6, 203.0.113.7, 10.0.0.8", 2, "203.0.113.7"],
  ["2001:DB8::7", 1, "2001:db8::7"],
  ["::ffff:203.0.113.7", 1, "203.0.113.7"],
])("only the part of %s that %i proxies wrote counts", (forwarded, proxies, expected) => {
  expect(seen(forwarded, proxies)).toBe(expected);
});

test.each([
  [null, 1],
  ["", 1],
  ["unknown", 1],
  ["203.0.113.7, <script>", 1],
  ["203.0.113.7", 2],
])("%s is not a header of %i proxies, so the peer counts", (forwarded, proxies) => {
  expect(seen(forwarded, proxies)).toBe(PEER);
});

test.each([
  "127.0.0.1",
  "::1",
  "10.0.0.9",
  "172.17.0.1",
  "192.168.1.5",
  "100.64.0.1",
  "fd00::1",
  "fe80::1%eth0",
])("a counted proxy may connect from %s", (peer) => {
  for (const proxies of [1, 2]) expect(seen("203.0.113.7, 203.0.113.7", proxies, peer)).toBe("203.0.113.7");
});

test.each(["198.51.100.4", "172.32.0.1", "100.128.0.1", "2001:db8::1", "::ffff:198.51.100.4", ""])(
  "a peer at %s came without a counted proxy and cannot choose an address",
  (peer) => {
    for (const proxies of [1, 2, 5])
      expect(seen("203.0.113.7, 203.0.113.8", proxies, peer)).toBe(peer.replace("::ffff:", ""));
  },
);

const NETWORKS = ["10.0.0.0/8", "127.0.0.1", "2001:db8:ffff::/48"];

test.each([
  ["203.0.113.7", PEER, "203.0.113.7"],
  ["6.6.6.6, 203.0.113.7", PEER, "203.0.113.7"],
  ["6.6.6.6, 203.0.113.7, 10.9.9.9, 127.0.0.1", PEER, "203.0.113.7"],
  ["203.0.113.7", "::ffff:10.0.0.9", "203.0.113.7"],
  ["203.0.113.7", "2001:db8:ffff::1", "203.0.113.7"],
  ["2001:DB8::7, ::ffff:10.1.1.1", PEER, "2001:db8::7"],
  // Only proxies: the first hop counts.
  ["10.2.2.2, 10.1.1.1", PEER, "10.2.2.2"],
  // Garbage may come from the client, and so may everything before it.
  ["203.0.113.7, garbage, 10.1.1.1", PEER, "10.1.1.1"],
  ["garbage", PEER, PEER],
  ["", PEER, PEER],
])(
  "the last address of %s that is not a proxy counts, sent by a declared proxy at %s",
  (forwarded, peer, expected) => {
    expect(seen(forwarded, NETWORKS, peer)).toBe(expected);
  },
);

test.each(["203.0.113.9", "11.0.0.1", "::ffff:11.0.0.1", "2001:db8:fffe::1", ""])(
  "a header from %s, which is not a declared proxy, is ignored",
  (peer) => {
    expect(seen("198.51.100.1, 10.0.0.1", NETWORKS, peer)).toBe(peer.replace("::ffff:", ""));
  },
);

test("an IPv4 peer of an IPv6 socket has its IPv4 address", () => {
  expect(seen(null, 0, "::ffff:192.0.2.1")).toBe("192.0.2.1");
});

test("limits count a /64 of IPv6 as one address, however it is written, and each IPv4 address by itself", () => {
  const own = ["2001:db8:1:2::1", "2001:0db8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2:0:0:0:9"];
  expect(new Set(own.map(limitKey))).toEqual(new Set(["2001:db8:1:2::/64"]));
  expect(limitKey("2001:db8:1:3::1")).toBe("2001:db8:1:3::/64");
  expect(limitKey("2001:db8::1")).toBe("2001:db8:0:0::/64");
  expect(limitKey("::1")).toBe("0:0:0:0::/64");
  expect(limitKey("192.0.2.1")).toBe("192.0.2.1");
  expect(limitKey("192.0.2.2")).toBe("192.0.2.2");
  for (const address of [...own, "2001:db8:1:ff::1"])
    expect(widerNetworks(address)).toEqual({ net56: "2001:db8:1::/56", net48: "2001:db8:1::/48" });
  expect(widerNetworks("2001:db8:1:1ff::1")?.net56).toBe("2001:db8:1:100::/56");
  expect([widerNetworks("192.0.2.1"), widerNetworks("::ffff:192.0.2.1")]).toEqual([null, null]);
});

test.each(["64:ff9b::", "64:ff9b:1:fffe::", "::ffff:0:"])(
  "an IPv4 visitor whom a translator shows as %s… counts as that IPv4 address, and is not a proxy because of it",
  (prefix) => {
    expect(limitKey(`${prefix}192.0.2.1`)).toBe("192.0.2.1");
    expect(limitKey(`${prefix}c000:202`)).toBe("192.0.2.2");
    expect(widerNetworks(`${prefix}192.0.2.1`)).toBeNull();
    expect(networkOf(`${prefix}192.0.2.77`)).toBe("192.0.2.0/24");
    const peer = seen("203.0.113.7", 1, `${prefix}10.0.0.9`);
    expect([peer, limitKey(peer)]).toEqual([expect.stringMatching(/^(64:ff9b|::ffff:0:)/), "10.0.0.9"]);
  },
);

test("the list of devices shows a network, never the address", () => {
  expect(networkOf("192.0.2.77")).toBe("192.0.2.0/24");
  expect(networkOf("2001:db8:1:2::77")).toBe("2001:db8:1::/48");
  for (const address of ["::1", "127.0.0.1", "nonsense"]) expect(networkOf(address)).toBeNull();
});

test.each([
  ...["10.0.0.9", "172.17.0.1", "192.168.1.5", "169.254.3.4", "100.64.0.1", "::ffff:172.17.0.1"],
  ...["fd00::1", "fe80::1", "fe80::1%eth0", "64:ff9b::ac11:1"],
])("%s, which all visitors share behind a proxy that is not trusted, is no network", (address) => {
  expect(networkOf(address)).toBeNull();
});
