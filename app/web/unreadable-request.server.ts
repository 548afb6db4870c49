import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { CONSTANT_HEADERS } from "./security-headers.server.ts";

interface Refusal {
  status: number;
  sentence: string;
}

const NOT_HTTP: Refusal = { status: 400, sentence: "This was no request that a web server can read." };
const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    sentence: "Your browser sent more than this site takes: delete its cookies of this site, then try again.",
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, sentence: "This request is too large." },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    sentence: "Your request took too long to arrive: try again with a better connection.",
  },
};

/**
 * Answers what Node could not read as a request, with the site's constant headers: no request ever starts, so that nothing
 * else sees it. For the server's "clientError". `isAnswering`: whether bytes of an answer are on this socket already,
 * which another answer would spoil.
 */
export function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { isAnswering }: { isAnswering: boolean },
): void {
  if (socket.writable && !isAnswering && error.code !== "ECONNRESET")
    socket.write(answerTo(error.code ?? ""));
  socket.destroySoon();
}

function answerTo(code: string): string {
  const { status, sentence } = REFUSALS[code] ?? NOT_HTTP;
  const headers = [
    ...CONSTANT_HEADERS,
    ["Content-Type", "text/plain; charset=utf-8"],
    ["Content-Length", String(Buffer.byteLength(sentence))],
    ["Cache-Control", "private, no-store"],
    ["Connection", "close"],
  ];
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${sentence}`;
}
