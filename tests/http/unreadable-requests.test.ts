import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { addFile, cookiesOf, startBytesSite } from "../support/media-site.ts";

/** Gives the server time to read one packet before the next arrives. */
const BETWEEN_PACKETS_MS = 50;
/** More than the buffers between two processes hold. */
const LARGE_BYTES = 32 * 1024 * 1024;

const { site, storage } = await startBytesSite();
afterAll(() => site.stop());

/** Sends each text in its own packet and returns the whole raw response. */
async function say(...texts: string[]): Promise<string> {
  const socket = connect(Number(new URL(site.origin).port), "127.0.0.1");
  let said = "";
  socket.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  // The server may close before everything is sent.
  socket.on("error", () => {});
  for (const text of texts) {
    socket.write(text);
    if (texts.length > 1) await sleep(BETWEEN_PACKETS_MS);
  }
  if (!socket.closed) await once(socket, "close");
  return said;
}

// The first case must be the first request that this server receives.
test.each([
  ["no HTTP", "hello\r\n\r\n", "400 Bad Request", "could not read this request"],
  [
    "no method that there is",
    "FETCH /about HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "400 Bad Request",
    "could not read this request",
  ],
  [
    "too many cookies",
    `GET /about HTTP/1.1\r\nHost: localhost\r\nCookie: ${"x".repeat(20_000)}\r\n\r\n`,
    "431 Request Header Fields Too Large",
    "delete this site's cookies",
  ],
  [
    "an endless chunk extension",
    `POST /signin HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1;${"x".repeat(20_000)}\r\n`,
    "413 Payload Too Large",
    "too large",
  ],
])("%s is refused with a sentence and every constant header once", async (_, text, status, sentence) => {
  const answer = await say(text);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head.split("\r\n")[0]).toBe(`HTTP/1.1 ${status}`);
  expect(head.split("\r\n").filter((line) => /^(rating|x-|referrer|cross|permissions)/i.test(line))).toEqual([
    "X-Content-Type-Options: nosniff",
    "Rating: RTA-5042-1996-1400-1577-RTA",
    "Referrer-Policy: same-origin",
    "X-Frame-Options: DENY",
    "Cross-Origin-Resource-Policy: same-origin",
    "Cross-Origin-Opener-Policy: same-origin",
    "Permissions-Policy: camera=(), microphone=(), geolocation=(), browsing-topics=()",
  ]);
  expect(body).toContain(sentence);
  expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
});

test("the answer to an unreadable request is not mixed into another response", async () => {
  const answer = await say("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nhello\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 /);
  expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(1);
  expect((await site.fetch("/healthz")).status).toBe(200);
});

test("an unreadable request does not write into a response that is being sent", async () => {
  const video = await addFile(storage, Buffer.alloc(LARGE_BYTES, 7));
  const { cookie } = await cookiesOf("active");
  const socket = connect(Number(new URL(site.origin).port), "127.0.0.1");
  socket.write(`GET ${video.path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`);
  const chunks: Buffer[] = [(await once(socket, "data"))[0] as Buffer];
  socket.pause();
  socket.write("hello\r\n\r\n");
  await sleep(1_000);
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.resume();
  await once(socket, "close");
  const said = Buffer.concat(chunks).toString("latin1");
  expect(said).toMatch(/^HTTP\/1\.1 200 /);
  expect(said.match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(1);
});

describe("a request head that is too long", () => {
  const cookies = Array.from({ length: 40 }, (_, index) => `c${index}=${"x".repeat(500)}`).join("; ");
  const page = "GET /about HTTP/1.1\r\nHost: localhost\r\n";

  test("because of its cookies makes the browser delete them, and says what else to do", async () => {
    const answer = await say(`${page}Cookie: ${cookies}\r\n\r\n`);
    expect(answer).toContain('Clear-Site-Data: "cookies"');
    expect(answer).toContain("private window");
    expect(answer).not.toMatch(/^(location|refresh):/im);
  });

  test("does so however its cookies are split into packets", async () => {
    const head = `${page}Accept: text/html\r\nCookie: ${cookies}`;
    const packets = head.match(/[\s\S]{1,4000}/g) ?? [];
    expect(await say(...packets)).toContain('Clear-Site-Data: "cookies"');
  });

  test.each([
    [
      "its address",
      `GET /about?${"x".repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\nCookie: session=x; adult=y\r\n\r\n`,
    ],
    [
      "its address, just short of the limit",
      `GET /about?${"x".repeat(16_200)} HTTP/1.1\r\nHost: localhost\r\nCookie: session=${"x".repeat(400)}; adult=y\r\n\r\n`,
    ],
    ["another header", `${page}X: ${"x; ".repeat(7_000)}\r\nCookie: session=x\r\n\r\n`],
  ])("because of %s signs nobody out", async (_, text) => {
    const answer = await say(text);
    expect(answer).toContain("HTTP/1.1 431 ");
    expect(answer.toLowerCase()).not.toContain("clear-site-data");
  });

  test("is answered while the client is still sending", async () => {
    const answer = await say(
      `${page}Cookie: ${cookies}`,
      ...Array.from({ length: 50 }, () => "x".repeat(10_000)),
    );
    expect(answer).toContain("HTTP/1.1 431 ");
  });
});
