import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseNetworks, parseTrustedProxies, type TrustedProxies } from "#app/config/trusted-proxies.ts";
import { clientAddress, limitKey } from "#app/web/request/client-address.server.ts";
import { startBeforeStandIn } from "#tests/support/front/stand-in.ts";

/** Proxies and clients write these. The peer of nginx is 127.0.0.1. */
const HEADERS = [
  "",
  "203.0.113.1",
  "203.0.113.2",
  "198.51.100.1, 203.0.113.1",
  "203.0.113.1, 198.51.100.1",
  "203.0.113.1, 10.0.0.1",
  "10.0.0.1",
  "2001:db8:1:2::1",
  "2001:db8:1:2:3:4:5:6",
  "2001:db8::2, 10.0.0.1",
  "::ffff:203.0.113.1",
  "nonsense",
  "203.0.113.1, nonsense",
  "nonsense, 203.0.113.1",
  "203.0.113.999",
  "203.0.113.1:4711",
];
/** With these behind them, hops are counted to the same ones. */
const FURTHER: Record<string, string[]> = { "2": ["", ", 10.0.0.1"] };
/** nginx compares these only where it reads addresses, not texts. */
const TRANSLATED = [
  "64:ff9b::cb00:7101",
  "64:ff9b::203.0.113.2",
  "64:ff9b:1::cb00:7101",
  "::ffff:0:203.0.113.1",
];
const TRUSTED = ["0", "1", "2", "127.0.0.0/8, 10.0.0.0/8", "10.0.0.0/8"];

describe.each(TRUSTED)("with TRUST_PROXY=%s", (text) => {
  const trusted = parseTrustedProxies(text, null as never);
  let nginx: Awaited<ReturnType<typeof startBeforeStandIn>>;
  beforeAll(async () => {
    nginx = await startBeforeStandIn((request, response) => response.end(peerOf(request)), {
      env: { TRUST_PROXY: text },
      edit: (conf) =>
        conf.replace("location / {", 'location = /key { return 200 "$connection_key"; }\nlocation / {'),
    });
  });
  afterAll(() => nginx.stop());

  test("nginx groups visitors as the site does, and passes on its peer", async () => {
    const keys = new Map<string, Set<string>>();
    const isText = typeof trusted === "number" && trusted > 1;
    const headers = [...HEADERS, ...(isText ? [] : TRANSLATED)];
    for (const header of headers.flatMap((one) => (FURTHER[text] ?? [""]).map((further) => one + further))) {
      const init = { headers: header === "" ? {} : { "x-forwarded-for": header } };
      const answer = await fetch(`http://127.0.0.1:${nginx.port}/key`, init as RequestInit);
      const ours = keyOf(header, trusted);
      const key = Buffer.from(await answer.arrayBuffer()).toString("hex");
      keys.set(ours, (keys.get(ours) ?? new Set()).add(key));
      const peer = await fetch(`http://127.0.0.1:${nginx.port}/`, init as RequestInit);
      expect(await peer.text()).toBe("127.0.0.1");
    }
    // One key of nginx for each of the site's, and no two alike.
    const theirs = [...keys.values()].map((found) => [...found]);
    expect(Object.fromEntries([...keys].filter(([, found]) => found.size !== 1))).toEqual({});
    expect(new Set(theirs.flat()).size).toBe(keys.size);
  });
});

function keyOf(header: string, trusted: TrustedProxies): string {
  const headers = new Headers({ "x-peer-address": "127.0.0.1", "x-forwarded-for": header });
  const web = { trustedProxies: trusted, trustedNetworks: parseNetworks(trusted) };
  return limitKey(clientAddress({ headers }, web));
}

function peerOf(request: IncomingMessage): string {
  return String(request.headers["x-front-peer"]);
}
