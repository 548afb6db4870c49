import { expect, test } from "vitest";
import { cookieBytesIn } from "./unreadable-request.server.ts";

const bytesIn = (packet: string) => cookieBytesIn(Buffer.from(packet));

test.each([
  ["a header", "GET / HTTP/1.1\r\nCookie: a=b; c=d\r\n\r\n", 9],
  ["a header at the beginning of a packet", "cookie: a=b; c=d\r\n\r\n", 8],
  ["a packet inside a long header", "b; c=d; e=f", 11],
])("counts the cookies of %s", (_, packet, bytes) => {
  expect(bytesIn(packet)).toBe(bytes);
});

test.each([
  ["a URL", `GET /?${"cookie:".repeat(500)} HTTP/1.1\r\n`],
  ["a packet inside a URL", `${"cookie:".repeat(500)} HTTP/1.1\r\n`],
  ["another header", `X: ${"cookie:".repeat(500)}\r\n`],
])("another site cannot fake cookies in %s", (_, packet) => {
  expect(bytesIn(packet)).toBe(0);
});
