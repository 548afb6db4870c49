import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { MAX_PIPELINED } from "#app/web/request/request-context.server.ts";
import { MAX_SIGNED_OUT_VIDEOS } from "#app/web/server/sent-videos.server.ts";
import { db } from "#db/client.server.ts";
import { videoSlots } from "#db/schema/viewing.ts";
import { adultCookie } from "#tests/support/people.ts";
import { addFile, startBytesSite } from "../support/media-site.ts";

const MEGABYTE = 1024 * 1024;
/** Fewer than one address may hold. */
const AT_ONCE = 100;
const DRAINED_WITHIN_MS = 4_000;
const PIPELINED = 400;

const { site, storage, dataDir } = await startBytesSite();
afterAll(() => site.stop());
const video = await addFile(storage, Buffer.alloc(20 * MEGABYTE, 7), { access: "free" });
const cookie = await adultCookie();
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`;

function open(text: string): Socket {
  const socket = connect(Number(new URL(site.origin).port), "127.0.0.1");
  socket.on("error", () => {}).write(text);
  return socket;
}

function openMediaFiles(): number {
  const folder = `/proc/${site.process.pid}/fd`;
  const paths = readdirSync(folder).map((fd) => {
    try {
      return readlinkSync(join(folder, fd));
    } catch {
      return "";
    }
  });
  return paths.filter((path) => path.startsWith(join(dataDir, "media"))).length;
}

test("a client that hangs up before the first byte leaves neither a slot nor an open file", async () => {
  for (let sent = 0; sent <= MAX_SIGNED_OUT_VIDEOS; sent += AT_ONCE) {
    await db.transaction(async (tx) => {
      // Each request waits for its slot while its client hangs up.
      await tx.execute(sql`LOCK TABLE video_slots`);
      const sockets = Array.from({ length: AT_ONCE }, () => open(get(video.path)));
      await sleep(500);
      for (const socket of sockets) socket.destroy();
      await sleep(100);
    });
  }
  await expect.poll(() => db.$count(videoSlots)).toBe(0);
  await expect.poll(openMediaFiles).toBe(0);
  const next = await site.fetch(video.path, { headers: { cookie } });
  expect(next.status).toBe(200);
  await next.body?.cancel();
  expect(site.output()).not.toContain("garbage collection");
}, 60_000);

test("a connection with more pipelined requests than a browser sends is closed", async () => {
  const socket = open(get("/about").repeat(PIPELINED));
  let said = "";
  socket.on("data", (chunk: Buffer) => {
    said += chunk.toString("latin1");
  });
  await new Promise((resolve) => socket.once("close", resolve));
  expect(said.match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThanOrEqual(MAX_PIPELINED);
  expect((await site.fetch("/about", { headers: { cookie } })).status).toBe(200);
});

test("pipelined requests whose client hangs up do not delay the end of the process", async () => {
  for (let count = 0; count < 20; count += 1) {
    const socket = open(get("/about").repeat(6));
    await sleep(20);
    socket.destroy();
  }
  await sleep(500);
  const startedAt = performance.now();
  const ended = once(site.process, "exit");
  site.process.kill("SIGTERM");
  await ended;
  expect(performance.now() - startedAt).toBeLessThan(DRAINED_WITHIN_MS);
});
