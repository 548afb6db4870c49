import type { Socket } from "node:net";
import type { RequestRefusal } from "../request/request-context.server.ts";
import { refuseConnection } from "./refusal.server.ts";

export const NOT_HTTP: RequestRefusal = { status: 400, sentence: "The server could not read this request." };
export const TOO_LONG: RequestRefusal = {
  status: 431,
  sentence:
    "The address or the headers of this request are longer than this site reads: try a shorter address.",
};
const REFUSALS: Record<string, RequestRefusal> = {
  HPE_HEADER_OVERFLOW: TOO_LONG,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, sentence: "This request is too large." },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    sentence: "Your request took too long to arrive: try again with a better connection.",
  },
};
const ABOUT_COOKIES =
  "It has been asked to delete them: reload this page, then sign in again. " +
  "If this page comes back, delete the cookies of this site in the settings of your browser, or use a private window.";
/** Scripts cannot delete these cookies, and few people find them in a browser. Browsers obey over https only. */
const TOO_MANY_COOKIES: RequestRefusal = {
  status: 431,
  sentence: `Your browser sent more cookies than this site reads. ${ABOUT_COOKIES}`,
  headers: [["Clear-Site-Data", '"cookies"']],
};
/** For nginx, which does not tell which header was too long: a browser sends no other of such a length. */
export const TOO_LONG_HEADERS = `The headers of this request are longer than this site reads: your browser sent too many cookies. ${ABOUT_COOKIES}`;
/** More than all of this site's own cookies. */
const MIN_EXCESS_COOKIE_BYTES = 2_048;
/** A packet may begin inside a URL, which contains no space. */
const COOKIE_LINE = /(?:^cookie: |\r\ncookie:)([^\r\n]*)/i;
/** A cookie header is one line, and a URL contains no space. */
const COOKIE_SEPARATOR = "; ";

/**
 * Answers a request that Node could not parse; no other handler is called for it. `isAnswering`: a second response would
 * corrupt the one on this socket.
 */
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

/** Cookie bytes in a head's last packet, which may hold only part of a line; zero when that is not certain. */
export function cookieBytesIn(packet: Uint8Array): number {
  const text = Buffer.from(packet).toString("latin1");
  const line = COOKIE_LINE.exec(text)?.[1];
  if (line !== undefined) return line.length;
  const [beginning = ""] = text.split("\r\n", 1);
  const isInsideCookies = beginning.includes(COOKIE_SEPARATOR) && !beginning.includes(": ");
  return isInsideCookies && !/^[A-Z]+ /.test(beginning) ? beginning.length : 0;
}
