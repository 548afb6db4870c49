import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { get as httpGet, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { MAX_CONNECTIONS_PER_ADDRESS } from "#app/web/server/connections.server.ts";
import { startBeforeStandIn } from "#tests/support/front/stand-in.ts";

/** Just below what nginx takes at all. */
const BODY_BYTES = 7_900_000;
const VIDEO = "/media/one/video-720.mp4";
const VIDEO_BYTES = 200 * 1024 * 1024;
const STALLED_MS = 12_000;
const ENDS_WITHIN_MS = 10_000;
const ESTABLISHED = "01";

/** Cookies with which the stand-in for the site refuses the video from now on. */
const refused = new Set<string | undefined>();
const questions: string[] = [];
let receivedBytes = 0;
const nginx = await startBeforeStandIn(answer);
afterAll(() => nginx.stop());
await writeFile(join(nginx.media, "video.mp4"), Buffer.alloc(VIDEO_BYTES, 7));

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { url, headers, method } = request;
  const call = String(headers["x-front-call"]);
  if (call === "visitor") response.writeHead(204, { "X-Front-Visitor": "light" }).end();
  else if (call !== "visit") {
    if (refused.has(headers.cookie)) questions.push(call);
    response.writeHead(refused.has(headers.cookie) ? 403 : 204).end();
  } else if (url === VIDEO)
    response.writeHead(200, { "X-Accel-Redirect": "/_video/members/video.mp4" }).end();
  else if (url === "/api/live" && method === "GET")
    response
      .writeHead(200, { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" })
      .write("retry: 1\n\n");
  else if (url === "/enter") response.end("the gate");
  // Everybody else waits while their body comes.
  else
    request.on("data", (chunk: Buffer) => {
      receivedBytes += chunk.length;
    });
}

test.each([
  ["a form", "POST /signin"],
  ["a form to the address of the streams", "POST /api/live"],
  ["a page that may be shared", "GET /content/video"],
])("nginx keeps nothing of the body of %s, which goes to the site as it comes", async (_, line) => {
  receivedBytes = 0;
  const sockets = Array.from({ length: 5 }, () => begin(line, BODY_BYTES));
  for (const socket of sockets) socket.write(Buffer.alloc(BODY_BYTES - 1, "x"));
  await expect.poll(() => receivedBytes).toBe(5 * (BODY_BYTES - 1));
  expect(keptBodies()).toEqual([]);
  for (const socket of sockets) socket.destroy();
});

test("a body that is larger than the site ever takes is refused before it comes", async () => {
  const socket = begin("POST /signin", 9_000_000);
  const [head] = (await once(socket, "data")) as [Buffer];
  expect(head.toString()).toMatch(/^HTTP\/1.1 413 /);
  socket.destroy();
});

test("streams of events are counted apart from the connections of an address", async () => {
  const streams = Array.from({ length: MAX_CONNECTIONS_PER_ADDRESS + 4 }, () => begin("GET /api/live", 0));
  const heads = await Promise.all(streams.map(async (socket) => String((await once(socket, "data"))[0])));
  expect(heads.filter((head) => !head.startsWith("HTTP/1.1 200 "))).toEqual([]);
  expect((await get("/enter")).statusCode).toBe(200);
  for (const socket of streams) socket.destroy();
});

test("a video that stands still is closed within ten seconds of the end of access, and one with access is not", async () => {
  const [stalled, paused] = await Promise.all(["ending", "lasting"].map((cookie) => get(VIDEO, cookie)));
  if (!stalled || !paused) throw new Error("no video");
  expect([stalled.statusCode, paused.statusCode]).toEqual([200, 200]);
  await sleep(STALLED_MS);
  expect([isOpen(stalled), isOpen(paused)]).toEqual([true, true]);
  refused.add("ending");
  await expect.poll(() => isOpen(stalled), { timeout: ENDS_WITHIN_MS }).toBe(false);
  expect(isOpen(paused)).toBe(true);
  expect(questions[0]).toBe("stream-check");
  for (const stream of [stalled, paused]) stream.destroy();
}, 60_000);

/** The cookie comes from a browser that has passed the gate, as far as nginx can tell. */
function begin(line: string, bytes: number): Socket {
  const socket = connect(nginx.port, "127.0.0.1").on("error", () => {});
  socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\nCookie: adult=x\r\nContent-Length: ${bytes}\r\n\r\n`);
  return socket;
}

/** Paused from the beginning. */
async function get(path: string, cookie = ""): Promise<IncomingMessage> {
  const request = httpGet({ host: "127.0.0.1", port: nginx.port, path, headers: { cookie }, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response.on("error", () => {}).pause();
}

/** As nginx sees it: a client that reads nothing does not learn that its connection was closed. */
function isOpen({ socket }: IncomingMessage): boolean {
  const [local, remote] = [nginx.port, socket.localPort ?? 0].map((port) =>
    port.toString(16).toUpperCase().padStart(4, "0"),
  );
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((row) => row.trim().split(/\s+/))
    .some(
      ([, from = "", to = "", state]) =>
        from.endsWith(`:${local}`) && to.endsWith(`:${remote}`) && state === ESTABLISHED,
    );
}

function keptBodies(): string[] {
  const run = join(tmpdir(), `peony-front-${process.getuid?.() ?? 0}-${nginx.port}`);
  return readdirSync(join(run, "bodies"), { recursive: true }).map(String);
}
