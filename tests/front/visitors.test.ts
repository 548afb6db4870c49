import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeEach, expect, test } from "vitest";
import { paths } from "#app/paths.ts";
import { MAX_CONNECTIONS_PER_ADDRESS } from "#app/web/server/connections.server.ts";
import { FRONT_KEY } from "#app/web/server/front-requests.server.ts";
import { db } from "#db/client.server.ts";
import { rateLimits } from "#db/schema/auth.ts";
import { type FrontSite, startFrontSite } from "#tests/support/front/front-site.ts";
import { adultCookie } from "#tests/support/people.ts";

const cookie = await adultCookie();
const VISITORS = Array.from({ length: 11 }, (_, index) => `203.0.113.${index + 1}`);
const EACH_ONE = Array(11).fill(200);
const ALL_AS_ONE = [...Array(10).fill(200), 429];
const SITES: Record<string, FrontSite> = {};
for (const TRUST_PROXY of ["0", "1", "2", "127.0.0.0/8", "10.0.0.0/8"])
  SITES[TRUST_PROXY] = await startFrontSite({ TRUST_PROXY, DATABASE_TIMEOUT_MS: "30000" });
afterAll(() => Promise.all(Object.values(SITES).map((site) => site.stop())));
beforeEach(async () => {
  await db.delete(rateLimits);
});

test.each([
  ["0", "", ALL_AS_ONE],
  ["1", "", EACH_ONE],
  ["2", "", ALL_AS_ONE],
  ["2", ", 10.0.0.1", EACH_ONE],
  ["127.0.0.0/8", "", EACH_ONE],
  ["127.0.0.0/8", ", 198.51.100.7", ALL_AS_ONE],
  ["10.0.0.0/8", "", ALL_AS_ONE],
])(
  "with TRUST_PROXY=%s and an X-Forwarded-For that ends with '%s', searches are counted as without nginx",
  async (trust, further, expected) => {
    const site = SITES[trust] ?? expect.unreachable("no site");
    const search = async (one: Pick<FrontSite, "fetch">) => {
      await db.delete(rateLimits);
      const statuses: number[] = [];
      for (const visitor of VISITORS) {
        const headers = { cookie, "x-forwarded-for": `${visitor}${further}`, "x-front-peer": visitor };
        statuses.push((await one.fetch(paths.list("video", { q: "silk" }), { headers })).status);
      }
      return statuses;
    };
    expect(await search(site)).toEqual(expected);
    expect(await search(site.direct)).toEqual(expected);
  },
);

test("the outbox of a demo opens on its own machine, and not to what a proxy passes on", async () => {
  const site = SITES["0"] ?? expect.unreachable("no site");
  expect((await site.fetch("/outbox", { headers: { cookie } })).status).toBe(200);
  const forwarded = await site.fetch("/outbox", { headers: { cookie, "x-forwarded-for": "203.0.113.9" } });
  expect(forwarded.status).not.toBe(200);
});

test("an older proxy in front of nginx is known by its HTTP/1.0, and nobody else can say what nginx has seen", async () => {
  const site = SITES["0"] ?? expect.unreachable("no site");
  const direct = Number(new URL(site.direct.origin).port);
  expect(await outboxStatus(site.port, "HTTP/1.1")).toBe(200);
  expect(await outboxStatus(site.port, "HTTP/1.0")).toBe(403);
  const claims = ["X-Front-Protocol: HTTP/1.1"];
  expect(await outboxStatus(site.port, "HTTP/1.0", claims)).toBe(403);
  expect(await outboxStatus(direct, "HTTP/1.0", claims)).toBe(403);
  const known = [`X-Front-Key: ${FRONT_KEY}`, "X-Front-Call: visit"];
  const seen = (peer: string, protocol: string) =>
    outboxStatus(direct, "HTTP/1.1", [...known, `X-Front-Peer: ${peer}`, `X-Front-Protocol: ${protocol}`]);
  expect(await seen("127.0.0.1", "HTTP/1.1")).toBe(200);
  expect(await seen("127.0.0.1", "HTTP/1.0")).toBe(403);
  expect(await seen("203.0.113.9", "HTTP/1.1")).toBe(403);
});

test("an address has as many connections as without nginx; one that waits for its head is ended", async () => {
  const site = SITES["0"] ?? expect.unreachable("no site");
  const slow = connect(site.port, "127.0.0.1");
  slow.write("GET / HTTP/1.1\r\nHost: localhost\r\n");
  const closed = new Promise((resolve) => slow.on("error", () => {}).once("close", resolve));
  slow.resume();
  // A body that does not come holds a request.
  const sockets = Array.from({ length: MAX_CONNECTIONS_PER_ADDRESS }, () => {
    const socket = connect(site.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write("POST /signin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n");
    return socket;
  });
  await sleep(1_000);
  const answer = await site.fetch("/enter");
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "5"]);
  expect(await answer.text()).toContain("too many connections from your network");
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await site.fetch("/enter")).status).toBe(200);
  await closed;
}, 30_000);

async function outboxStatus(port: number, protocol: string, headers: string[] = []): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  const head = [`GET /outbox ${protocol}`, "Host: localhost", `Cookie: ${cookie}`, "Connection: close"];
  socket.write(`${[...head, ...headers].join("\r\n")}\r\n\r\n`);
  return Number((await text(socket)).split(" ", 2)[1]);
}
