import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { RequestRefusal } from "../request/request-context.server.ts";
import { CONSTANT_HEADERS } from "./constant-headers.server.ts";

export const METHODS = new Set(["GET", "HEAD", "POST"]);
export const BAD_METHOD: RequestRefusal = {
  status: 405,
  sentence: "This site does not support this method. Use GET, HEAD or POST.",
  headers: [["Allow", [...METHODS].join(", ")]],
};

const HEARD_OUT_MS = 1_000;

/** The constant headers are already on the response. */
export function sendRefusal(response: ServerResponse, refusal: RequestRefusal): void {
  for (const [name, value] of headersOf(refusal)) response.setHeader(name, value);
  response.writeHead(refusal.status);
  response.end(refusal.sentence);
}

/** For a connection without a parsed request. */
function refusalBytes(refusal: RequestRefusal): string {
  const headers = [
    ...CONSTANT_HEADERS,
    ...headersOf(refusal),
    ["Cache-Control", "private, no-store"] as const,
  ];
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const status = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`;
  return `${status}\r\n${head}Connection: close\r\n\r\n${refusal.sentence}`;
}

/** Reads on from a client that `isSending`, which would otherwise see a broken connection and no response. */
export function refuseConnection(
  socket: Socket,
  refusal: RequestRefusal,
  { isSending }: { isSending: boolean },
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(refusalBytes(refusal));
  if (!isSending) {
    socket.destroySoon();
    return;
  }
  // The parser has failed on this connection and must not read on.
  socket.removeAllListeners("data");
  socket.on("data", () => {});
  const timer = setTimeout(() => socket.destroy(), HEARD_OUT_MS);
  socket.once("close", () => clearTimeout(timer));
}

function headersOf({ sentence, headers = [] }: RequestRefusal): NonNullable<RequestRefusal["headers"]> {
  return [
    ["Content-Type", "text/plain; charset=utf-8"],
    ["Content-Length", String(Buffer.byteLength(sentence))],
    ...headers,
  ];
}
