import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { CLOCK_SPEED, movedClock } from "../support/fast-site.ts";
import { addFile, startBytesSite } from "../support/media-site.ts";
import { adultCookie } from "../support/people.ts";

/** Three of the server's checks, which run every 30 seconds, with some margin. */
const GIVEN_UP_AFTER_MS = 110_000 / CLOCK_SPEED;
const DRIP_MS = 1_000 / CLOCK_SPEED;
/** More than the operating system's buffers hold. */
const LARGE_BYTES = 40 * 1024 * 1024;

const { site, storage } = await startBytesSite(movedClock("slow clients"));
afterAll(() => site.stop());
const cookie = await adultCookie();
const access = { access: "free" } as const;
const video = await addFile(storage, Buffer.alloc(LARGE_BYTES, 7), access);
const picture = await addFile(
  storage,
  Buffer.alloc(LARGE_BYTES, 7),
  { ...access, slug: "a-picture" },
  { name: "photo-1-480.webp", contentType: "image/webp", needs: "see" },
);

const get = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`;
const FORM =
  "POST /signin HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Length: 5000\r\n\r\nemail=";

test("a stalled form or upload is closed, but a paused video and a slow, steady upload are not", async () => {
  const { isClosed, pictureBytes, videoBytes } = await watchSlowBodies();
  expect(isClosed).toEqual({ form: true, slowForm: true, steady: false });
  expect(pictureBytes).toBeLessThan(LARGE_BYTES);
  expect(videoBytes).toBeGreaterThan(LARGE_BYTES);
}, 60_000);

async function watchSlowBodies() {
  const form = open(FORM);
  const slowForm = open(FORM);
  const unread = open(get(picture.path)).pause();
  const paused = open(get(video.path)).pause();
  const steady = open(FORM.replace("5000", "500000"));
  const drip = setInterval(() => slowForm.write("x"), DRIP_MS);
  const send = setInterval(() => steady.write("x".repeat(1_000)), DRIP_MS);
  await sleep(GIVEN_UP_AFTER_MS);
  clearInterval(drip);
  clearInterval(send);
  const isClosed = { form: form.destroyed, slowForm: slowForm.destroyed, steady: steady.destroyed };
  steady.destroy();
  // A client notices only by reading that the rest is missing.
  const [pictureBytes, videoBytes] = await Promise.all([bytesOf(unread), bytesOf(paused)]);
  return { isClosed, pictureBytes, videoBytes };
}

/** The number of bytes received until the response is complete or cut off. */
async function bytesOf(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  socket.resume();
  if (!socket.closed) await once(socket, "close");
  return bytes;
}

function open(bytes: string): Socket {
  const socket = connect(Number(new URL(site.origin).port), "127.0.0.1");
  socket.on("error", () => {}).resume();
  socket.write(bytes);
  return socket;
}
