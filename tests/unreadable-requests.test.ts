import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, expect, test } from "vitest";
import { startSite } from "#tests/support/site.ts";

const site = await startSite();
afterAll(() => site.stop());

/** Whole answer to these bytes, as they come over the line. */
async function say(text: string): Promise<string> {
  const socket = connect(Number(new URL(site.origin).port), "127.0.0.1");
  let said = "";
  socket.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  socket.write(text);
  await once(socket, "close");
  return said;
}

// The first is the very first thing that this server hears.
test.each([
  ["no HTTP", "hello\r\n\r\n", "400 Bad Request", "no request that a web server can read"],
  [
    "no method that there is",
    "FETCH /about HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "400 Bad Request",
    "no request",
  ],
  [
    "too many cookies",
    `GET /about HTTP/1.1\r\nHost: localhost\r\nCookie: ${"x".repeat(20_000)}\r\n\r\n`,
    "431 Request Header Fields Too Large",
    "delete its cookies of this site",
  ],
  [
    "an endless chunk extension",
    `POST /signin HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1;${"x".repeat(20_000)}\r\n`,
    "413 Payload Too Large",
    "too large",
  ],
])("%s is refused in a sentence, with every constant header once", async (_, text, status, sentence) => {
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

test("a request that cannot be read behind another gets no answer that mixes with the other", async () => {
  const answer = await say("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nhello\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 /);
  expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(1);
  expect((await site.fetch("/healthz")).status).toBe(200);
});
