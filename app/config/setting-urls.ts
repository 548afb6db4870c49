/** Says in one line, without any part of the value, what to write instead. */
export class UrlProblem extends Error {
  override readonly name = "UrlProblem";
}

const NO_ADDRESS =
  "is no complete address; an IPv6 host needs brackets and, in a user or password, # has to be written as %23, / as %2F, ? as %3F, @ as %40, % as %25 and a blank as %20";
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
  if (authority.includes("@")) return "must be without a user: write https:// and the host alone";
  if (/[?#]/.test(rest)) return "must be without a query or a #: write https:// and the host alone";
  if (rest !== "" && rest !== "/")
    return "must be without a path, because the site needs a host of its own: write https:// and the host alone";
  if (urlProblem(text, ["https"]) !== null)
    return "is no complete address: write https:// and the host, with a port behind a colon when it is not 443";
  return VISITED_HOST.test(new URL(text).hostname)
    ? null
    : "has a host that no browser sends so: write its name, without a * and without a dot at its end";
}
