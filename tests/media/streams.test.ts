import { readdirSync, readFileSync } from "node:fs";
import { get as httpGet, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/billing.ts";
import { addFile, cookiesOf, startBytesSite } from "./bytes-site.ts";

const MEGABYTE = 1024 * 1024;
const { site, storage } = await startBytesSite();
afterAll(() => site.stop());

const large = await addFile(storage, Buffer.alloc(200 * MEGABYTE, 7));
const { cookie } = await cookiesOf("active");

function openStream(asCookie = cookie): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpGet(`${site.origin}${large.path}`, { headers: { cookie: asCookie }, agent: false }, resolve).on(
      "error",
      reject,
    );
  });
}

async function hangUp(count: number): Promise<void> {
  const streams = await Promise.all(Array.from({ length: count }, () => openStream()));
  for (const stream of streams) stream.destroy();
}

function openFiles(): number {
  return readdirSync(`/proc/${site.process.pid}/fd`).length;
}

function memoryMegabytes(): number {
  const status = readFileSync(`/proc/${site.process.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

test("a client that does not read costs no memory", async () => {
  const before = memoryMegabytes();
  const streams = await Promise.all(Array.from({ length: 5 }, () => openStream()));
  await sleep(2_000);
  expect(memoryMegabytes() - before).toBeLessThan(60);
  for (const stream of streams) stream.destroy();
});

test("five hundred clients that hang up leave no open file", async () => {
  // The first burst also opens the database connections that stay.
  await hangUp(25);
  await sleep(1_500);
  const before = openFiles();
  for (let round = 0; round < 20; round++) await hangUp(25);
  await sleep(1_500);
  expect(Math.abs(openFiles() - before)).toBeLessThanOrEqual(2);
}, 60_000);

test("a running stream ends within ten seconds of the subscription, and the next range is refused", async () => {
  const leaving = await cookiesOf("active");
  const stream = await openStream(leaving.cookie);
  let received = 0;
  let endedAt = 0;
  let isRefused = false;
  stream.on("data", (chunk: Buffer) => {
    received += chunk.length;
    stream.pause();
    setTimeout(() => stream.resume(), 20);
  });
  stream.on("error", () => {});
  stream.on("close", () => {
    endedAt = Date.now();
  });
  await sleep(500);
  const canceledAt = Date.now();
  await db.update(subscriptions).set({ status: "canceled" }).where(eq(subscriptions.userId, leaving.userId));
  const next = await site.fetch(large.path, { headers: { cookie: leaving.cookie, range: "bytes=0-9" } });
  isRefused = next.status === 403;
  while (endedAt === 0 && Date.now() - canceledAt < 15_000) await sleep(100);

  expect(isRefused).toBe(true);
  expect(endedAt).toBeGreaterThan(0);
  expect(endedAt - canceledAt).toBeLessThan(10_000);
  expect(received).toBeLessThan(200 * MEGABYTE);
}, 40_000);
