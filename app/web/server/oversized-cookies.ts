/** A packet may begin inside a URL, which contains no space. */
const COOKIE_LINE = /(?:^cookie: |\r\ncookie:)([^\r\n]*)/i;
/** A cookie header is one line, and a URL contains no space. */
const COOKIE_SEPARATOR = "; ";

/** Cookie bytes in a head's last packet, which may hold only part of a line; zero when that is not certain. */
export function cookieBytesIn(packet: Uint8Array): number {
  const text = Buffer.from(packet).toString("latin1");
  const line = COOKIE_LINE.exec(text)?.[1];
  if (line !== undefined) return line.length;
  const [beginning = ""] = text.split("\r\n", 1);
  const isInsideCookies = beginning.includes(COOKIE_SEPARATOR) && !beginning.includes(": ");
  return isInsideCookies && !/^[A-Z]+ /.test(beginning) ? beginning.length : 0;
}
