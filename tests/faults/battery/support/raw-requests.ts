import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Longer than the server waits for the rest of a request's head. */
const ANSWERED_WITHIN_MS = 60_000;

/** Sends the bytes as they are and returns everything that is answered until the connection ends. */
export async function sayRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let said = "";
  socket
    .on("error", () => {})
    .on("data", (chunk: Buffer) => {
      said += chunk.toString("latin1");
    });
  socket.setTimeout(ANSWERED_WITHIN_MS, () => socket.destroy());
  socket.write(Buffer.from(bytes, "latin1"));
  if (!socket.closed) await once(socket, "close");
  return said;
}

/** Opens connections from other addresses that say `bytes` and read nothing. */
export function openSilent(port: number, count: number, bytes: string): Socket[] {
  return Array.from({ length: count }, (_, index) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: `127.8.0.${(index % 20) + 1}` });
    socket.on("error", () => {}).pause();
    socket.write(bytes);
    return socket;
  });
}

const HOST = "Host: localhost\r\n";
const HIDDEN = "GET /hidden-by-smuggling HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** A request that two servers could read differently must be refused, or be the only one that is answered. */
export const AMBIGUOUS: Record<string, string> = {
  "CL.TE": `POST /signin HTTP/1.1\r\n${HOST}Content-Length: ${5 + HIDDEN.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  "TE.CL": `POST /signin HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
  "TE.TE": `POST /signin HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${HIDDEN}`,
  "two lengths": `POST /signin HTTP/1.1\r\n${HOST}Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
  "bare LF": `GET /about HTTP/1.1\n${HOST}X: y\nContent-Length: ${HIDDEN.length}\n\n${HIDDEN}`,
  "folded header": `GET /about HTTP/1.1\r\n${HOST}X: a\r\n Content-Length: ${HIDDEN.length}\r\nConnection: close\r\n\r\n`,
  "space before the colon": `POST /signin HTTP/1.1\r\n${HOST}Content-Length : ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
};

/** Requests that are refused, or answered like any other, and always end. */
export const HOSTILE: Record<string, string> = {
  "64 KB header": `GET /about HTTP/1.1\r\n${HOST}X: ${"x".repeat(65_536)}\r\n\r\n`,
  "10,000 headers": `GET /about HTTP/1.1\r\n${HOST}${"X: y\r\n".repeat(10_000)}\r\n`,
  "path of bad UTF-8": `GET /%ff%fe%c0%af HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
  "raw bytes in the path": `GET /\xff\xfe HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
  "an expectation": `POST /signin HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\na=b`,
  "an unknown expectation": `POST /signin HTTP/1.1\r\n${HOST}Expect: tea\r\nContent-Length: 3\r\nConnection: close\r\n\r\na=b`,
  TRACE: `TRACE /about HTTP/1.1\r\n${HOST}X-Secret: echoed-by-trace\r\nConnection: close\r\n\r\n`,
};
