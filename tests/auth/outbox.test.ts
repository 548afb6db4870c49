import { afterAll, beforeAll, expect, test } from "vitest";
import { outboxKey } from "#app/domain/keys/keys.server.ts";
import { signedCookie } from "#app/web/request/signed-cookie.server.ts";
import { mayReadOutbox } from "#app/web/session/outbox-access.server.ts";
import { fetchAlone } from "#tests/support/metrics/scrape.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";
import { newestMail } from "../support/mails.ts";

const REMOTE = { "X-Forwarded-For": "203.0.113.9" };

let site: Site;
let proxied: Site;
beforeAll(async () => {
  site = await startSite();
  proxied = await startSite({ env: { TRUST_PROXY: "1" } });
  await new Jar(site).post("/signin", { email: "owner@example.com", next: "/" });
});
afterAll(() => Promise.all([site.stop(), proxied.stop()]));

const doors = (): { name: string; site: Site; headers: Record<string, string> }[] => [
  { name: "a tunnel", site, headers: REMOTE },
  { name: "a trusted proxy", site: proxied, headers: REMOTE },
  { name: "a trusted proxy that names no visitor", site: proxied, headers: {} },
  {
    name: "a proxy that claims a visitor on its machine",
    site: proxied,
    headers: { "X-Forwarded-For": "127.0.0.1" },
  },
];

test("the outbox opens on the demo's own machine", async () => {
  const { code } = await newestMail("owner@example.com");
  const answer = await site.fetch("/outbox");
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain(code);
});

test("the outbox is closed to everybody who comes through another machine, whatever they claim", async () => {
  const { code } = await newestMail("owner@example.com");
  for (const { name, site: door, headers } of doors()) {
    const claims: Record<string, string>[] = [
      {},
      { "x-peer-address": "127.0.0.1" },
      { "x-unforwarded-peer": "127.0.0.1" },
    ];
    for (const claim of claims) {
      for (const path of [
        "/outbox",
        "/outbox.data",
        "/outbox?key=",
        "/outbox?key=wrong",
        "/outbox.data?key=wrong",
      ]) {
        const answer = await door.fetch(path, { headers: { ...headers, ...claim } });
        expect([name, path, answer.status]).toEqual([
          name,
          path,
          path.includes(".data") ? answer.status : 403,
        ]);
        expect(answer.headers.getSetCookie()).toEqual([]);
        const text = await answer.text();
        expect([name, path, text.includes(code)]).toEqual([name, path, false]);
        if (!path.includes(".data")) expect(text).toContain("it printed an address");
      }
    }
  }
});

test("the outbox opens only under this machine's names, not behind a tunnel to its port", async () => {
  for (const host of ["192.0.2.7:3000", "[2001:db8::1]", "10.0.0.5"]) {
    expect((await fetchAlone(site, "/outbox", { host })).status).toBe(403);
  }
});

test("with the key the outbox opens from anywhere, and stays open in that browser without it", async () => {
  const { code } = await newestMail("owner@example.com");
  for (const { name, site: door, headers } of doors()) {
    const opened = await door.fetch(`/outbox?key=${outboxKey()}`, { headers });
    expect([name, opened.status, opened.headers.get("location")]).toEqual([name, 302, "/outbox"]);
    const [line = ""] = opened.headers.getSetCookie();
    expect(line).toMatch(/^outbox=[^;]+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/);
    const cookie = line.split(";", 1)[0] ?? "";
    const answer = await door.fetch("/outbox", { headers: { ...headers, cookie } });
    expect([name, answer.status]).toEqual([name, 200]);
    expect(await answer.text()).toContain(code);
  }
});

test("only a peer on this machine reads the outbox, and a cookie signed for something else does not open it", async () => {
  const from = (peer: string, cookie = "") =>
    mayReadOutbox(
      new Request("http://localhost/outbox", { headers: { "x-unforwarded-peer": peer, cookie } }),
    );
  for (const peer of ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])
    expect([peer, await from(peer)]).toEqual([peer, true]);
  // The last address but one is the source of a visitor to a container's published port.
  for (const peer of [
    "192.168.1.5",
    "10.0.0.1",
    "::ffff:192.168.1.5",
    "fe80::1",
    "1127.0.0.1",
    "172.17.0.1",
    "",
  ])
    expect([peer, await from(peer)]).toEqual([peer, false]);
  const signed = async (name: string, value: unknown) =>
    (await signedCookie(name, 60).serialize(value)).replace(/^[^=]+/, "outbox").split(";", 1)[0];
  expect(await from("", await signed("outbox", outboxKey()))).toBe(true);
  for (const value of [true, 1, "", "/", Math.floor(Date.now() / 1000), { key: outboxKey() }])
    expect(await from("", await signed("adult", value))).toBe(false);
  expect(await from("", `outbox=${outboxKey()}`)).toBe(false);
});
