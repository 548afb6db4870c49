/** "GET /content/video/words-of-a-title?q=search 200 - - 12.3 ms", as remix-serve prints every request. */
const REQUEST_LINE = /^([A-Z]+) (\/\S*) (\d{3}|-) \S+ - (\S+) ms$/;
const KEPT_SEGMENTS = 2;
/** Below these the second segment already is a slug. */
const NAMED_BELOW = new Set(["creators"]);
const STARTED_LINE = /^\[remix-serve\] /;

/** A log line without what it must not tell: slugs hold titles, and queries hold searches. Null when it says nothing. */
export function redactRequestLine(line: string): string | null {
  if (STARTED_LINE.test(line)) return null;
  const match = REQUEST_LINE.exec(line);
  if (!match) return line;
  const [, method, url = "/", status, duration] = match;
  const path = url.split(/[?#]/, 1)[0] ?? "/";
  const segments = path.split("/").filter(Boolean);
  const isNamed = NAMED_BELOW.has(segments[0]?.toLowerCase() ?? "");
  const kept = segments.slice(0, isNamed ? 1 : KEPT_SEGMENTS).join("/");
  return `${method} /${kept} ${status} ${duration} ms`;
}
