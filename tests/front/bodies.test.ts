import { once } from "node:events";
import { readdir, readlink } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeEach, expect, test } from "vitest";
import { MAX_BODIES_PER_ADDRESS } from "#app/front/nginx-config.server.ts";
import { BODY_LIMITS, DROPPED_BYTES } from "#app/web/forms/form-body.server.ts";
import { MAX_CONNECTIONS_PER_ADDRESS } from "#app/web/server/connections.server.ts";
import { startBeforeStandIn } from "#tests/support/front/stand-in.ts";

/** Whatever nginx passes on at once has arrived by then. */
const PASSED_ON_MS = 300;

const received: { path: string; bytes: number }[] = [];
const nginx = await startBeforeStandIn(answer);
afterAll(() => nginx.stop());
beforeEach(() => {
  received.length = 0;
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  const entry = { path: request.url ?? "", bytes: 0 };
  received.push(entry);
  if (request.url === "/api/live" && request.method === "GET") {
    response
      .writeHead(200, { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" })
      .write("retry: 1\n\n");
    return;
  }
  if (request.url === "/slow") return;
  request.on("data", (chunk: Buffer) => {
    entry.bytes += chunk.length;
  });
  request.on("end", () => response.end("taken"));
}

test("the site sees a form only when it is complete", async () => {
  const socket = begin("POST /signin", 1_000);
  socket.write("x".repeat(999));
  await sleep(PASSED_ON_MS);
  expect(received).toEqual([]);
  socket.write("x");
  expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1.1 200 /);
  expect(received).toEqual([{ path: "/signin", bytes: 1_000 }]);
  socket.destroy();
});

test.each([
  ["a form", "/signin", BODY_LIMITS.form],
  ["a form of the studio", "/studio/tags/1.data", BODY_LIMITS.staffForm],
  ["photos of a set", "/studio/media/1/photos.data", BODY_LIMITS.itemFiles + DROPPED_BYTES],
  ["captions", "/studio/media/1/captions.data", BODY_LIMITS.itemFiles + DROPPED_BYTES],
  ["a cover", "/studio/media/1/cover.data", BODY_LIMITS.itemFiles + DROPPED_BYTES],
  ["an event of the payment provider", "/api/billing/webhook/stripe", BODY_LIMITS.event],
  ["a profile picture", "/user/account", 3 * BODY_LIMITS.picture],
  ["a picture of the site itself by script", "/studio/settings/logo.data", 3 * BODY_LIMITS.picture],
  ["a portrait by script", "/studio/creators/1/portrait.data", 3 * BODY_LIMITS.picture],
  ["a piece of an upload", "/studio/upload/files/1", BODY_LIMITS.piece],
])("%s is taken up to its limit and refused beyond before it comes", async (_, path, limit) => {
  const fitting = begin(`POST ${path}`, limit);
  fitting.write(Buffer.alloc(limit, "x"));
  expect(String((await once(fitting, "data"))[0])).toMatch(/^HTTP\/1.1 200 /);
  expect(received).toEqual([{ path, bytes: limit }]);
  const larger = begin(`POST ${path}`, limit + 1);
  expect(String((await once(larger, "data"))[0])).toMatch(/^HTTP\/1.1 413 /);
  expect(received).toHaveLength(1);
  for (const socket of [fitting, larger]) socket.destroy();
});

test.each([
  "/studio/tags/1",
  "/studio/tags/1.data",
  "/studio/upload",
  "/studio/people/1",
  "/studio//media//1/photos",
])("a stranger's body for %s fills no disk: the site decides before it comes", async (path) => {
  const socket = begin(`POST ${path}`, BODY_LIMITS.staffForm);
  socket.write(Buffer.alloc(400_000, "x"));
  await expect.poll(() => received).toEqual([{ path, bytes: 400_000 }]);
  const kept = (await openFiles()).filter((name) => name.includes(`-${nginx.port}-`));
  expect(kept.filter((name) => name.includes("/bodies/"))).toEqual([]);
  socket.destroy();
});

test.each([
  ["bodies that do not come", () => begin("POST /signin", 10)],
  ["chunked bodies", () => begin("POST /signin", "chunked")],
  ["bodies of other methods", () => begin("GET /enter", 10)],
])("past a limit of %s at a time, an address gets 429, and its pages go on", async (_, open) => {
  const slow = Array.from({ length: MAX_BODIES_PER_ADDRESS }, open);
  const next = () => {
    const socket = begin("POST /signin", 1);
    socket.write("x");
    return headsOf([socket]);
  };
  await expect
    .poll(
      async () => {
        // The last test's sockets count until nginx sees them closed.
        slow.push(open());
        return (await next())[0];
      },
      { timeout: 20_000 },
    )
    .toMatch(/^HTTP\/1.1 429 /);
  expect((await headsOf([begin("GET /enter", 0)]))[0]).toMatch(/^HTTP\/1.1 200 /);
  for (const socket of slow) socket.destroy();
  await expect.poll(async () => (await next())[0], { timeout: 20_000 }).toMatch(/^HTTP\/1.1 200 /);
});

/** Files of all programs that this user may look into. */
async function openFiles(): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const folder = `/proc/${pid}/fd`;
    for (const fd of await readdir(folder).catch(() => []))
      found.push(await readlink(join(folder, fd)).catch(() => ""));
  }
  return found;
}

test("the studio's first page reaches the site at its own address, without a slash at the end", async () => {
  const socket = begin("GET /studio", 0);
  expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1.1 200 /);
  expect(received).toEqual([{ path: "/studio", bytes: 0 }]);
  socket.destroy();
});

test("past its limit, an address gets 429, and its live connections count separately", async () => {
  const live = Array.from({ length: MAX_CONNECTIONS_PER_ADDRESS + 4 }, () => begin("GET /api/live", 0));
  expect((await headsOf(live)).filter((head) => !head.startsWith("HTTP/1.1 200 "))).toEqual([]);
  const slow = Array.from({ length: MAX_CONNECTIONS_PER_ADDRESS }, () => begin("GET /slow", 0));
  let refused = "";
  await expect
    .poll(
      async () => {
        slow.push(begin("GET /slow", 0));
        [refused = ""] = await headsOf([begin("GET /enter", 0)]);
        return refused;
      },
      { timeout: 10_000 },
    )
    .toMatch(/^HTTP\/1.1 429 /);
  expect(refused).toContain("Retry-After: 5\r\n");
  expect(refused).toContain("too many connections from your network");
  for (const socket of [...slow, ...live]) socket.destroy();
  await expect
    .poll(async () => (await headsOf([begin("GET /enter", 0)]))[0], { timeout: 10_000 })
    .toMatch(/^HTTP\/1.1 200 /);
});

function begin(line: string, bytes: number | "chunked"): Socket {
  const socket = connect(nginx.port, "127.0.0.1").on("error", () => {});
  const length = bytes === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${bytes}`;
  socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\n${length}\r\n\r\n`);
  return socket;
}

function headsOf(sockets: Socket[]): Promise<string[]> {
  return Promise.all(sockets.map(async (socket) => String((await once(socket, "data"))[0])));
}
