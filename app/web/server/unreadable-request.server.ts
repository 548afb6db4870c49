import type { Socket } from "node:net";
import type { RequestRefusal } from "../request/request-context.server.ts";
import { refuseConnection } from "./refusal.server.ts";

export const NOT_HTTP: RequestRefusal = { status: 400, sentence: "The server could not read this request." };
export const TOO_LONG: RequestRefusal = {
  status: 431,
  sentence: "The address or the headers of this request are too long for this site. Try a shorter address.",
};
const REFUSALS: Record<string, RequestRefusal> = {
  HPE_HEADER_OVERFLOW: TOO_LONG,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, sentence: "This request is too large." },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    sentence: "Your request took too long to arrive. Try again with a better connection.",
  },
};
const ABOUT_COOKIES =
  "We have asked it to delete them. Reload this page, then sign in again. " +
  "If this page comes back, delete this site's cookies in your browser's settings, or use a private window.";
/** Scripts cannot delete these cookies, and few people can find them. Browsers obey only over https. */
const TOO_MANY_COOKIES: RequestRefusal = {
  status: 431,
  sentence: `Your browser sent more cookies than this site accepts. ${ABOUT_COOKIES}`,
  headers: [["Clear-Site-Data", '"cookies"']],
};
/** nginx does not tell which header was too long, but a browser sends no other of that length. */
export const TOO_LONG_HEADERS = `The headers of this request are too long for this site, because your browser sent too many cookies. ${ABOUT_COOKIES}`;
/** More than all of this site's cookies. */
const MIN_EXCESS_COOKIE_BYTES = 2_048;
/** A packet may begin inside a URL or a cookie header. A URL contains no space. */
const COOKIE_LINE = /(?:^cookie: |\r\ncookie:)([^\r\n]*)/i;
const COOKIE_SEPARATOR = "; ";

/** `isAnswering`: a second response would corrupt the one on this socket. */
export function refuseUnreadable(
  error: NodeJS.ErrnoException & { rawPacket?: Buffer },
  socket: Socket,
  { isAnswering }: { isAnswering: boolean },
): void {
  if (isAnswering || error.code === "ECONNRESET") socket.destroySoon();
  else refuseConnection(socket, refusalOf(error), { isSending: true });
}

function refusalOf({ code = "", rawPacket }: NodeJS.ErrnoException & { rawPacket?: Buffer }): RequestRefusal {
  const isOverflow = code === "HPE_HEADER_OVERFLOW";
  // Anybody can link to a long URL, which must not sign people out.
  if (isOverflow && cookieBytesIn(rawPacket ?? Buffer.alloc(0)) >= MIN_EXCESS_COOKIE_BYTES)
    return TOO_MANY_COOKIES;
  return REFUSALS[code] ?? NOT_HTTP;
}

/** The packet may hold only part of a line. Zero when it is not certain. */
export function cookieBytesIn(packet: Uint8Array): number {
  const text = Buffer.from(packet).toString("latin1");
  const line = COOKIE_LINE.exec(text)?.[1];
  if (line !== undefined) return line.length;
  const [beginning = ""] = text.split("\r\n", 1);
  const isInsideCookies = beginning.includes(COOKIE_SEPARATOR) && !beginning.includes(": ");
  return isInsideCookies && !/^[A-Z]+ /.test(beginning) ? beginning.length : 0;
}
