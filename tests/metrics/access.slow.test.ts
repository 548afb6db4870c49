import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { FRONT_KEY } from "#app/web/request/front-requests.server.ts";
import { startFrontSite } from "#tests/support/front/front-site.ts";
import { fetchAlone } from "#tests/support/metrics/scrape.ts";
import { startSite } from "#tests/support/site.ts";

const TOKEN = randomBytes(32).toString("hex");
const HOSTED = { APP_URL: "https://peony.example", SMTP_URL: "smtp://127.0.0.1:1" };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const demo = await startSite();
const proxied = await startSite({ env: { ...HOSTED, TRUST_PROXY: "1", METRICS_TOKEN: TOKEN } });
const listed = await startSite({ env: { ...HOSTED, TRUST_PROXY: "127.0.0.1", METRICS_TOKEN: TOKEN } });
const front = await startFrontSite({ ...HOSTED, TRUST_PROXY: "0", METRICS_TOKEN: TOKEN });
afterAll(() => Promise.all([demo, proxied, listed, front].map((site) => site.stop())));

const SITES = { demo, proxied, listed, "behind nginx": front };
/** The demo has no other name than this machine's. */
const nameOf = (site: object) => (site === demo ? "localhost" : "peony.example");
/** How a request of somebody else looks that a proxy on this machine passes on. */
const PASSED_ON: Record<string, string>[] = [
  { "x-forwarded-for": "203.0.113.7" },
  { "x-forwarded-for": "127.0.0.1" },
  { "x-forwarded-for": "" },
  { "x-forwarded-host": "127.0.0.1" },
  { forwarded: "for=127.0.0.1" },
  { via: "1.1 proxy" },
  { "x-real-ip": "203.0.113.7" },
  { "x-forwarded-for": "127.0.0.1", "x-unforwarded-peer": "127.0.0.1", "x-peer-address": "127.0.0.1" },
  { "x-forwarded-for": "127.0.0.1", "x-front-peer": "127.0.0.1", "x-front-key": "x".repeat(43) },
];
const WRONG = ["", "x", TOKEN.slice(1), `${TOKEN}x`, TOKEN.replace(/^./, "-"), `${TOKEN} ${TOKEN}`];

const LOCAL_NAMES = ["localhost", "127.0.0.1:1", "[::1]"];

test("the demo answers a program on this machine", async () => {
  expect(await statusOf(demo)).toBe(200);
  for (const host of LOCAL_NAMES) expect(await statusOf(demo, { host })).toBe(200);
});

describe.each(Object.entries(SITES))("the site %s", (_, site) => {
  test.each(PASSED_ON)("does not answer whom a proxy passes on, %j", async (headers) => {
    expect(await isUnknownPage(site, { host: nameOf(site), ...headers })).toBe(true);
    const { status, text } = await fetchAlone(site, "/metrics", headers);
    // Most of these sites have no page under an address of this machine.
    expect([404, 421]).toContain(status);
    expect(text).not.toContain("peony_");
  });

  test("does not answer a wrong token, not even on this machine", async () => {
    const wrong = [...WRONG.map((token) => `Bearer ${token}`), TOKEN, `Basic ${TOKEN}`, "Bearer"];
    for (const authorization of wrong) {
      expect(await isUnknownPage(site, { host: nameOf(site), authorization })).toBe(true);
      expect((await fetchAlone(site, "/metrics", { authorization })).text).not.toContain("peony_");
    }
  });

  test("answers no other way of writing the address, and no form", async () => {
    const allowed = site === demo ? {} : bearer(TOKEN);
    for (const path of ["/metrics/", "/METRICS", "/%6Detrics", "/metrics.data", "//metrics", "/metrics/x"])
      expect([path, (await fetchAlone(site, path, allowed)).text.includes("peony_")]).toEqual([path, false]);
    expect((await fetchAlone(site, "/metrics", allowed, "POST")).text).not.toContain("peony_");
  });
});

describe.each(Object.entries({ proxied, listed, "behind nginx": front }))("the site %s", (_, site) => {
  test("answers its token, from anywhere and under any name", async () => {
    const ways: Record<string, string>[] = [
      {},
      { host: "localhost" },
      { "x-forwarded-for": "203.0.113.7" },
      { host: "peony:8080" },
    ];
    for (const headers of ways) expect(await statusOf(site, { ...bearer(TOKEN), ...headers })).toBe(200);
    expect(await statusOf(site, { authorization: `bearer ${TOKEN}` })).toBe(200);
  });

  test("answers nobody without it, because a proxy can look like a program on this machine", async () => {
    for (const host of [new URL(site.origin).host, ...LOCAL_NAMES]) {
      const { status, text } = await fetchAlone(site, "/metrics", { host });
      expect([404, 421]).toContain(status);
      expect(text).not.toContain("peony_");
    }
  });

  test("does not answer the public name, which a proxy passes on even when it says nothing else", async () => {
    const { status, text } = await fetchAlone(site, "/metrics", { host: "peony.example" });
    expect([status, text.includes("peony_")]).toEqual([404, false]);
  });
});

test("no token opens a site that has none", async () => {
  for (const token of ["null", "undefined", "", TOKEN])
    expect(await isUnknownPage(demo, bearer(token))).toBe(true);
});

test("behind nginx a visitor needs the token, on this machine too", async () => {
  const visitor = { "x-front-key": FRONT_KEY };
  const status = (peer: string, headers = {}) =>
    statusOf(front.direct, { ...visitor, "x-front-peer": peer, ...headers });
  expect(await status("127.0.0.1")).not.toBe(200);
  expect(await status("203.0.113.7", { host: "peony.example" })).toBe(404);
  expect(await status("203.0.113.7", { host: "127.0.0.1" })).not.toBe(200);
  expect(await status("203.0.113.7", bearer(TOKEN))).toBe(200);
});

async function statusOf(site: { origin: string }, headers: Record<string, string> = {}) {
  return (await fetchAlone(site, "/metrics", headers)).status;
}

/** Whether the response is that of an address which does not exist, to the last header. */
async function isUnknownPage(site: { origin: string }, headers: Record<string, string>): Promise<boolean> {
  const [metrics, unknown] = await Promise.all(
    ["/metrics", "/nowhere"].map(async (path) => {
      const { status, headers: sent, text } = await fetchAlone(site, path, headers);
      const {
        date: _date,
        "content-security-policy": _policy,
        "content-length": _length,
        ...constant
      } = sent;
      return JSON.stringify([status, constant, withoutChance(text)]);
    }),
  );
  expect(metrics).toBe(unknown);
  // A trusted proxy that names another host gets 421, as for every page.
  return /^\[4(04|21)/.test(metrics ?? "");
}

/** Pages name their address, a nonce, and the id of the request. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/\b(metrics|nowhere)\b/g, "path")
    .replaceAll(/nonce="[^"]*"/g, "nonce")
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "id");
}
