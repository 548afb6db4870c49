/** Says in one line, without any part of the value, what to write instead. */
export class UrlProblem extends Error {
  override readonly name = "UrlProblem";
}

const NO_ADDRESS =
  "is not a complete address: put an IPv6 host in brackets and, in a user or password, write # as %23, / as %2F, ? as %3F, @ as %40, % as %25 and a space as %20";
const VISITED_HOST = /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:.]+\])$/;

/** `schemes` are without the colon. Throws a UrlProblem. */
export function parseUrl(text: string, schemes: string[]): URL {
  const [scheme = ""] = text.toLowerCase().split("://", 1);
  if (!schemes.includes(scheme)) {
    throw new UrlProblem(`must begin with ${schemes.map((one) => `${one}://`).join(" or ")}`);
  }
  if (/\s/.test(text) || !isText(text) || !URL.canParse(text)) throw new UrlProblem(NO_ADDRESS);
  const url = new URL(text);
  // What looks like a port can be the beginning of a password with a / or a # in it.
  if (text.includes("#") || `${url.pathname}${url.search}`.includes("@") || url.port === "0") {
    throw new UrlProblem(NO_ADDRESS);
  }
  return url;
}

/** For a value that has no further rules. Returns what is wrong, or null. */
export function urlProblem(text: string, schemes: string[]): string | null {
  return problemIn(() => {
    if (!/^[^,]+$/.test(parseUrl(text, schemes).hostname)) throw new UrlProblem(NO_ADDRESS);
  });
}

/** The message of a UrlProblem that `read` throws, or null. */
export function problemIn(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof UrlProblem) return error.message;
    throw error;
  }
}

function isText(text: string): boolean {
  try {
    return !decodeURIComponent(text).includes("\0");
  } catch {
    return false;
  }
}

/** For APP_URL: returns what is wrong, or null. */
export function siteUrlProblem(text: string): string | null {
  if (!/^https:\/\//i.test(text)) return "must begin with https://, or nobody can stay signed in";
  const [, authority = "", rest = ""] = /^https:\/\/([^/?#]*)(.*)$/is.exec(text) ?? [];
  if (authority.includes("@")) return "must not contain a user: write only https:// and the host";
  if (/[?#]/.test(rest)) return "must not contain a query or a #: write only https:// and the host";
  if (rest !== "" && rest !== "/")
    return "must not contain a path, because the site needs its own host: write only https:// and the host";
  if (urlProblem(text, ["https"]) !== null)
    return "is not a complete address: write https:// and the host, with a colon and the port if it is not 443";
  return VISITED_HOST.test(new URL(text).hostname)
    ? null
    : "has a host that no browser would send: write its name, without a * or a dot at the end";
}
