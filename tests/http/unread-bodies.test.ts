import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, expect, test } from "vitest";
import { startSite } from "#tests/support/site.ts";

/** Far more than the stream of a body holds. */
const BODY_BYTES = 5_000_000;
const FIRST_BYTES = 500_000;

const site = await startSite();
afterAll(() => site.stop());

test("a connection whose body the site did not need still answers its next request", async () => {
  const { hostname, port, host } = new URL(site.origin);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  const responses = () => received.match(/^HTTP\/1\.1 \d+/gm) ?? [];
  await once(socket, "connect");
  // A visitor who is not signed in is led to do so, whatever the form holds.
  socket.write(
    [
      "POST /user/account HTTP/1.1",
      `Host: ${host}`,
      `Origin: ${site.origin}`,
      "Content-Type: multipart/form-data; boundary=x",
      `Content-Length: ${BODY_BYTES}\r\n\r\n`,
    ].join("\r\n"),
  );
  socket.write(Buffer.alloc(FIRST_BYTES));
  await expect.poll(responses).toEqual(["HTTP/1.1 302"]);
  socket.write(Buffer.alloc(BODY_BYTES - FIRST_BYTES));
  socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await expect.poll(responses, { timeout: 30_000 }).toEqual(["HTTP/1.1 302", "HTTP/1.1 200"]);
  socket.destroy();
});
