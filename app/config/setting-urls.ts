import { isIP } from "node:net";

/** Says in one line, without any part of the value, what to write instead. */
export class UrlProblem extends Error {
  override readonly name = "UrlProblem";
}

interface SplitUrl {
  scheme: string;
  /** Decoded; null when the URL has none. */
  user: string | null;
  password: string | null;
  /** Decoded and without brackets; several with commas between them stay together. */
  host: string;
  /** Its digits; empty when the URL has none. */
  port: string;
  /** Decoded, without the slash before it. */
  path: string;
  /** Decoded, in their order. */
  parameters: [string, string][];
}

/** The characters that end or divide a part of a URL, and the percent sign that stands before the code of one. */
const CODES: Record<string, string> = {
  "#": "%23",
  "/": "%2F",
  "?": "%3F",
  "@": "%40",
  ":": "%3A",
  "[": "%5B",
  "]": "%5D",
  "%": "%25",
  " ": "%20",
};
const CURE = `in a user or password, write ${Object.entries(CODES)
  .map(([character, code]) => `${code} for ${character === " " ? "a blank" : character}`)
  .join(", ")}`;
/** A shell or .env takes what follows a # for a comment, so the rest of a password is not there to be seen. */
const NO_ADDRESS = `is no complete address; ${CURE}, because .env takes what follows a # for a comment`;
const NO_HOST =
  "names no host that can be read: write a name, or an IPv6 address in brackets with its port behind them, as [2001:db8::7]:5432";
const VISITED_HOST = /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:.]+\])$/;
const HIGHEST_PORT = 65_535;
const WRONG_PORT = `has a port that is no number from 1 to ${HIGHEST_PORT}`;

/** Throws a UrlProblem for a value of which two programs could read different parts. `schemes` are without the colon. */
export function splitUrl(text: string, schemes: string[]): SplitUrl {
  const [, name = "", rest = ""] = /^([a-z]+):\/\/(.*)$/is.exec(text) ?? [];
  const scheme = name.toLowerCase();
  if (!schemes.includes(scheme))
    throw new UrlProblem(`must begin with ${schemes.map((one) => `${one}://`).join(" or ")}`);
  if (/\s/.test(rest)) throw new UrlProblem("has a blank: write %20 for it");
  const [authority = ""] = /^[^/?#]*/.exec(rest) ?? [];
  const userEnd = rest.lastIndexOf("@");
  requireWholeUser(rest.slice(0, Math.max(userEnd, 0)), authority.includes("@"));
  if (rest.includes("#")) throw new UrlProblem("has a #: write %23 for it");
  if (/%(?![\da-f]{2})/i.test(rest)) throw new UrlProblem("has a % that begins no code: write %25 for it");
  const [path = "", query = ""] = splitAt(rest.slice(authority.length), "?");
  const [user, password] = userEnd === -1 ? [null, null] : splitAt(authority.slice(0, userEnd), ":");
  const { host, port } = splitHost(authority.slice(userEnd + 1), userEnd !== -1);
  return {
    scheme,
    user: user === null ? null : decoded(user),
    password: password === null ? null : decoded(password),
    host: decoded(host),
    port,
    path: decoded(path.slice(1)),
    parameters: (query ?? "").split("&").flatMap((pair) => {
      const [name, value] = splitAt(pair, "=");
      return name === "" ? [] : [[decoded(name), decoded(value ?? "")] as [string, string]];
    }),
  };
}

/** For a value that has no further rules. Returns what is wrong, or null. */
export function urlProblem(text: string, schemes: string[]): string | null {
  try {
    return /^[^,\s]+$/.test(splitUrl(text, schemes).host) && URL.canParse(text) ? null : NO_ADDRESS;
  } catch (error) {
    if (error instanceof UrlProblem) return error.message;
    throw error;
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

/** `userPart` is everything before the last @. With an earlier one, the last may stand in the path or a parameter. */
function requireWholeUser(userPart: string, hasEarlier: boolean): void {
  const dividing = ["/", "?", "#", "@"].filter((character) => userPart.includes(character));
  if (dividing.length === 0) return;
  const codes = dividing.map((character) => `${CODES[character]} for ${character}`).join(", ");
  const isBehindHost = (hasEarlier && /[/?]/.test(userPart)) || /[?&][a-z_]+=[^?&]*$/i.test(userPart);
  const orBehind = isBehindHost ? `; behind the host, write ${CODES["@"]} for @` : "";
  throw new UrlProblem(
    `has ${dividing.join(" and ")} before its last @: in a user or password, write ${codes}${orBehind}`,
  );
}

/** Several hosts, whose ports differ, stay together. Without a user, what looks like a port may be a cut password. */
function splitHost(text: string, hasUser: boolean): { host: string; port: string } {
  if (text.includes(",")) return { host: text, port: "" };
  const [, brackets, name = brackets, port = ""] =
    /^(?:\[([^\]]*)\]|([^:[\]]*))(?::([^:]*))?$/.exec(text) ?? [];
  if (name === undefined) {
    throw new UrlProblem(hasUser || isIP(text) !== 0 || text.startsWith("[") ? NO_HOST : NO_ADDRESS);
  }
  if (port !== "" && !isPort(port)) {
    throw new UrlProblem(hasUser ? WRONG_PORT : `${WRONG_PORT}, or ${NO_ADDRESS}`);
  }
  return { host: name, port };
}

/** Throws a UrlProblem for anything else. */
export function portOf(text: string): number {
  if (isPort(text)) return Number(text);
  throw new UrlProblem(WRONG_PORT);
}

function isPort(text: string): boolean {
  return /^\d{1,9}$/.test(text) && Number(text) > 0 && Number(text) <= HIGHEST_PORT;
}

function splitAt(text: string, character: string): [string, string | null] {
  const at = text.indexOf(character);
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(part: string): string {
  try {
    const text = decodeURIComponent(part);
    if (!text.includes("\0")) return text;
  } catch {}
  throw new UrlProblem(
    "has codes after % that are no text: write %25 for a % that is a character of its own",
  );
}
