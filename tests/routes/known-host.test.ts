import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Site, startSite } from "#tests/support/site.ts";

const env = { APP_URL: "https://peony.example", SMTP_URL: "smtp://127.0.0.1:1" };
let bare: Site;
let proxied: Site;
let demo: Site;
beforeAll(async () => {
  demo = await startSite();
  bare = await startSite({ env: { ...env, TRUST_PROXY: "0" } });
  proxied = await startSite({ env: { ...env, TRUST_PROXY: "1" } });
});
afterAll(() => Promise.all([bare.stop(), proxied.stop(), demo.stop()]));

/** fetch() does not allow setting Host. */
function ask(site: Site, path: string, headers: Record<string, string>, method = "GET") {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const sent = request(new URL(path, site.origin), { method, headers }, async (answer) => {
      let text = "";
      for await (const chunk of answer) text += chunk;
      resolve({ status: answer.statusCode, text });
    });
    sent.on("error", reject).end();
  });
}
const statusOf = async (site: Site, path: string, headers: Record<string, string>) =>
  (await ask(site, path, headers)).status;

const UNKNOWN: Record<string, string>[] = [
  { host: "evil.example" },
  { host: "peony.example.evil.example" },
  { host: "peony.example:8443" },
  { host: "peony.example." },
  { host: "127.0.0.1" },
  { host: "evil.example", "x-forwarded-host": "peony.example" },
  { host: "evil.example", "x-host": "peony.example", "x-original-host": "peony.example" },
];

test("a hosted site refuses another host name for pages, data, files and forms", async () => {
  const paths = ["/", "/about", "/about.data", "/signin", "/nowhere", "/media/a/b.mp4", "/sitemap.xml"];
  for (const headers of UNKNOWN) {
    for (const path of paths)
      expect([path, headers, await statusOf(bare, path, headers)]).toEqual([path, headers, 421]);
    expect((await ask(bare, "/signin", { ...headers, origin: env.APP_URL }, "POST")).status).toBe(421);
  }
  const { text } = await ask(bare, "/about", { host: "evil.example" });
  expect(text).toContain("Not at this address");
  expect(text).not.toContain("Unexpected Server Error");
});

test("a hosted site answers to its own name, however it is written, and its health check to any name", async () => {
  for (const host of ["peony.example", "PEONY.example", "peony.example:443"]) {
    expect([host, await statusOf(bare, "/about", { host })]).toEqual([host, 200]);
  }
  for (const path of ["/healthz", "/readyz"])
    expect(await statusOf(bare, path, { host: "10.0.0.5:3000" })).toBe(200);
});

test("behind a trusted proxy, the proxy's host name counts", async () => {
  const inside = { host: "peony-web:3000" };
  const status = (forwarded: string) =>
    statusOf(proxied, "/about", { ...inside, "x-forwarded-host": forwarded });
  expect(await status("peony.example")).toBe(200);
  expect(await status("peony.example, evil.example")).toBe(421);
  expect(await status("evil.example")).toBe(421);
  expect(await statusOf(proxied, "/about", inside)).toBe(421);
  expect(await statusOf(proxied, "/about", { host: "peony.example" })).toBe(200);
});

/** Names that a page of another site can resolve to this machine. */
const REBOUND = [
  "evil.example",
  "127.0.0.1.evil.example",
  "localhost.evil.example",
  "localhost.localdomain",
  "peony",
];

test("a demo answers to localhost and to IP addresses, but not to a name that another site could own", async () => {
  for (const host of [
    "localhost",
    "LOCALHOST:3000",
    "peony.localhost",
    "127.0.0.1:80",
    "192.168.1.5:8080",
    "[::1]:3000",
  ])
    expect([host, await statusOf(demo, "/about", { host })]).toEqual([host, 200]);
  for (const host of REBOUND) {
    for (const path of ["/outbox", "/outbox.data"])
      expect([host, path, await statusOf(demo, path, { host })]).toEqual([host, path, 421]);
    expect((await ask(demo, "/signin", { host, origin: `http://${host}` }, "POST")).status).toBe(421);
  }
  const renamed = { host: "evil.example", "x-forwarded-host": "localhost" };
  expect(await statusOf(demo, "/outbox", renamed)).toBe(421);
  expect(await statusOf(demo, "/healthz", { host: "evil.example" })).toBe(200);
});
