import { readTls, type TlsSettings } from "./database-tls.ts";
import { parseUrl, problemIn, UrlProblem } from "./setting-urls.ts";

/** Where the database is and how it is reached, read once for both drivers. */
export interface DatabaseAddress {
  /** A name, an IP address, or the folder of a Unix socket. */
  host: string;
  port: number;
  /** Null means the user of this process. */
  user: string | null;
  password: string | null;
  /** Null means the name of the user. */
  database: string | null;
  tls: TlsSettings;
  applicationName: string | null;
  /** Command-line options for the server's process. */
  options: string | null;
  connectTimeoutSeconds: number | null;
}

const SCHEMES = ["postgres", "postgresql"];
const DEFAULT_PORT = 5432;
const NAMELESS =
  "names neither a user nor a database: write postgres://user:password@host/database, with %23 for a # in the password, because .env treats the rest of the line after a # as a comment";
const SEVERAL_HOSTS = "names several hosts, but the site can use only one: name the one that accepts writes";
const UNKNOWN_ENCRYPTION =
  "has an unknown parameter about encryption: use sslmode instead, for example sslmode=verify-full";

/** Parameters that mean here what they mean to libpq. */
const KEPT = [
  ...["host", "port", "user", "password", "dbname", "application_name", "options", "connect_timeout"],
  ...["ssl", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslpassword", "sslnegotiation"],
  ...["ssl_min_protocol_version", "ssl_max_protocol_version"],
];
/** Parameters that change what a connection means, with the values that hold here without them. */
const CHANGING: Record<string, string[]> = {
  schema: ["public"],
  currentSchema: ["public"],
  search_path: ["public"],
  channel_binding: ["prefer", "disable"],
  gssencmode: ["prefer", "disable"],
  client_encoding: ["utf8", "utf-8", "auto"],
  target_session_attrs: ["any", "read-write", "primary"],
  hostaddr: [],
  service: [],
};
const OF_ENCRYPTION = /^(?:ssl(?!sni$|compression$)|tls|require_auth)/i;

/** Throws a UrlProblem that says what to write instead. */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const [start = "", user = "", hosts = ""] = /^\w+:\/\/([^/?#]*@)?([^/?#]*)/.exec(text) ?? [];
  if (hosts.includes(",")) throw new UrlProblem(SEVERAL_HOSTS);
  const isHostless = user !== "" && hosts === "";
  // A user without a host is libpq's form for a socket, and no URL.
  const url = parseUrl(isHostless ? `${start}socket${text.slice(start.length)}` : text, SCHEMES);
  const given = readParameters(url.search);
  const named = {
    host: isHostless ? "" : decodeURIComponent(url.hostname.replace(/^\[(.*)\]$/, "$1")),
    port: url.port,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    dbname: decodeURIComponent(url.pathname.slice(1)),
  };
  const one = (what: keyof typeof named) => onlyOne(what, named[what], given[what]);
  const host = one("host") ?? "localhost";
  if ([host, given.port].some((part) => part?.includes(","))) throw new UrlProblem(SEVERAL_HOSTS);
  if (one("user") === null && one("dbname") === null) throw new UrlProblem(NAMELESS);
  return {
    host,
    port: numberIn(one("port"), "port", 65_535) ?? DEFAULT_PORT,
    user: one("user"),
    password: one("password"),
    database: one("dbname"),
    tls: readTls(given),
    applicationName: given.application_name ?? null,
    options: given.options ?? null,
    connectTimeoutSeconds: numberIn(given.connect_timeout ?? null, "connect_timeout", 9_999) || null,
  };
}

/** Returns what is wrong, or null. */
export function databaseUrlProblem(url: string): string | null {
  return problemIn(() => parseDatabaseUrl(url));
}

/** The address with a password that is set apart from it, where any character may be in it. */
export function withPassword(url: string, password: string | undefined): string {
  if (password === undefined || password === "") return url;
  return `${url}${url.includes("?") ? "&" : "?"}password=${encodeURIComponent(password)}`;
}

export function hasPassword(url: string): boolean {
  return parseDatabaseUrl(url).password !== null;
}

type Given = Partial<Record<string, string>>;

/** Other parameters tune the pools and drivers of other programs, and are dropped. */
function readParameters(search: string): Given {
  const given: Given = {};
  for (const pair of search.slice(1).split("&")) {
    const [name = "", ...rest] = pair.split("=").map(decodeURIComponent);
    const value = rest.join("=");
    const harmless = Object.hasOwn(CHANGING, name) ? CHANGING[name] : undefined;
    if (harmless !== undefined && !harmless.includes(value.toLowerCase())) {
      throw new UrlProblem(
        `has ${name}, which is not supported: remove it, and use sslmode=verify-full if it was there for encryption`,
      );
    }
    if (!KEPT.includes(name)) {
      if (OF_ENCRYPTION.test(name)) throw new UrlProblem(UNKNOWN_ENCRYPTION);
      continue;
    }
    if (given[name] !== undefined) throw new UrlProblem(`has ${name} twice: keep one of them`);
    if (value !== "") given[name] = value;
  }
  return given;
}

function onlyOne(what: string, first: string, second: string | undefined): string | null {
  if (first && second && first !== second) throw new UrlProblem(`names its ${what} twice: keep one of them`);
  return first || second || null;
}

function numberIn(text: string | null, what: string, most: number): number | null {
  if (text === null) return null;
  const isNumber = /^\d{1,5}$/.test(text) && Number(text) <= most;
  if (!isNumber) throw new UrlProblem(`has a ${what} that is not a number up to ${most}`);
  return Number(text);
}
