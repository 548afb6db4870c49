import { BlockList, isIPv4 } from "node:net";
import { expect, test } from "vitest";
import { fc } from "#tests/support/seed.ts";
import { isLocalHost, isLoopbackAddress, isWithin, parseIp, parseNetwork } from "./addresses.ts";

test.each([
  ["localhost", true],
  ["LocalHost:3000", true],
  ["peony.localhost", true],
  ["127.0.0.1", true],
  ["0.0.0.0:8080", true],
  ["192.168.1.5:8080", true],
  ["[::1]:3000", true],
  ["[fe80::1]", true],
  ["", false],
  ["localhost.", false],
  ["127.0.0.1.:3000", false],
  ["evil.example", false],
  ["localhost.evil.example", false],
  ["notlocalhost", false],
  ["127.0.0.1.evil.example", false],
  ["evil.example@127.0.0.1", false],
  ["127.0.0.1@evil.example", false],
  ["127.0.0.1/evil.example", false],
  ["127.0.0.1#evil.example", false],
  ["evil.example\\.localhost", false],
  ["a b", false],
])("whether the host %j is this machine or an address: %s", (host, isLocal) => {
  expect(isLocalHost(host)).toBe(isLocal);
});

test.each([
  ["2001:0DB8::0:7", "2001:db8::7"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:c000:201", "192.0.2.1"],
  ["fe80::1%eth0.1", "fe80::1"],
])("%s is the address %s", (text, expected) => {
  expect(parseIp(text)?.toString()).toBe(expected);
});

test.each([
  "",
  "127.1",
  "2130706433",
  "0x7f.0.0.1",
  "0177.0.0.1",
  "1.2.3.4.5",
  "1.2.3.256",
  "::127.0.0.1",
  "1::2::3",
  "g::",
])("%j is no address", (text) => {
  expect(parseIp(text)).toBeNull();
  expect(isLoopbackAddress(text)).toBe(false);
});

test.each(["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "/8", "10.0.0.0/-1", "2001:db8::/129", "10/8"])(
  "%j is no network",
  (text) => {
    expect(parseNetwork(text)).toBeNull();
  },
);

test("an address is in the same networks as Node's own list says", () => {
  const addresses = fc.oneof(
    fc.ipV4(),
    fc.ipV6().filter((text) => !/^::\d+\./.test(text)),
  );
  fc.assert(
    fc.property(addresses, addresses, fc.nat(128), (address, network, length) => {
      const [family, bits] = isIPv4(network) ? (["ipv4", length % 33] as const) : (["ipv6", length] as const);
      const list = new BlockList();
      list.addSubnet(network, bits, family);
      const parsed = parseNetwork(`${network}/${bits}`);
      const isListed = list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
      return parsed !== null && isWithin([parsed], address) === isListed;
    }),
    { numRuns: 2_000 },
  );
});
