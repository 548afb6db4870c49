import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { FRONT_KEY } from "#app/web/request/front-requests.server.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { type FrontSite, startFrontSite } from "#tests/support/front/front-site.ts";
import { adultCookie } from "#tests/support/people.ts";

const cookie = await adultCookie();
const VISITORS = Array.from({ length: 11 }, (_, index) => `203.0.113.${index + 1}`);
const SITES: Record<string, FrontSite> = {};
// tests/front/addresses.test.ts has the table of all settings and headers.
for (const TRUST_PROXY of ["0", "1"]) SITES[TRUST_PROXY] = await startFrontSite({ TRUST_PROXY });
afterAll(() => Promise.all(Object.values(SITES).map((site) => site.stop())));

test.each([
  ["0", [...Array(10).fill(200), 429]],
  ["1", Array(11).fill(200)],
])("with TRUST_PROXY=%s, searches are counted as without nginx", async (trust, expected) => {
  const site = SITES[trust] ?? expect.unreachable("no site");
  const search = async (one: Pick<FrontSite, "fetch">) => {
    await db.delete(rateLimits);
    const statuses: number[] = [];
    for (const visitor of VISITORS) {
      const headers = { cookie, "x-forwarded-for": visitor, "x-front-peer": visitor };
      statuses.push((await one.fetch(paths.list("video", { q: "silk" }), { headers })).status);
    }
    return statuses;
  };
  expect(await search(site)).toEqual(expected);
  expect(await search(site.direct)).toEqual(expected);
});

test("a demo's outbox opens on its own machine, but not through a proxy", async () => {
  const site = SITES["0"] ?? expect.unreachable("no site");
  expect((await site.fetch("/outbox", { headers: { cookie } })).status).toBe(200);
  const forwarded = await site.fetch("/outbox", { headers: { cookie, "x-forwarded-for": "203.0.113.9" } });
  expect(forwarded.status).not.toBe(200);
});

test("HTTP/1.0 reveals an older proxy in front of nginx, and nobody else can claim what nginx has seen", async () => {
  const site = SITES["0"] ?? expect.unreachable("no site");
  const direct = Number(new URL(site.direct.origin).port);
  expect(await outboxStatus(site.port, "HTTP/1.1")).toBe(200);
  expect(await outboxStatus(site.port, "HTTP/1.0")).toBe(403);
  const claims = ["X-Front-Protocol: HTTP/1.1"];
  expect(await outboxStatus(site.port, "HTTP/1.0", claims)).toBe(403);
  expect(await outboxStatus(direct, "HTTP/1.0", claims)).toBe(403);
  const known = [`X-Front-Key: ${FRONT_KEY}`];
  const seen = (peer: string, protocol: string) =>
    outboxStatus(direct, "HTTP/1.1", [...known, `X-Front-Peer: ${peer}`, `X-Front-Protocol: ${protocol}`]);
  expect(await seen("127.0.0.1", "HTTP/1.1")).toBe(200);
  expect(await seen("127.0.0.1", "HTTP/1.0")).toBe(403);
  expect(await seen("203.0.113.9", "HTTP/1.1")).toBe(403);
});

async function outboxStatus(port: number, protocol: string, headers: string[] = []): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  const head = [`GET /outbox ${protocol}`, "Host: localhost", `Cookie: ${cookie}`, "Connection: close"];
  socket.write(`${[...head, ...headers].join("\r\n")}\r\n\r\n`);
  return Number((await text(socket)).split(" ", 2)[1]);
}
