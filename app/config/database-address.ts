import { readTls, type TlsSettings } from "./database-tls.ts";
import { portOf, splitUrl, UrlProblem } from "./setting-urls.ts";

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
const DEFAULT_PORT = "5432";
const NAMELESS =
  "names neither user nor database: write postgres://user:password@host/database, with %23 for a # in the password, because .env takes what follows a # for a comment";

/** Parameters of libpq and of this site. */
const READ = new Set([
  ...["host", "port", "user", "password", "dbname", "application_name", "options", "connect_timeout"],
  ...["ssl", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslpassword", "sslnegotiation"],
  ...["ssl_min_protocol_version", "ssl_max_protocol_version"],
]);
/** Parameters for pools and drivers of other programs, on which nothing here depends. */
const DROPPED = new Set([
  ...["pgbouncer", "connection_limit", "pool_timeout", "socket_timeout", "statement_cache_size"],
  ...["pool", "prepared_statements", "prepareThreshold", "reWriteBatchedInserts", "ApplicationName"],
  ...["pool_max_conns", "pool_min_conns", "default_query_exec_mode", "prepared_statement_cache_size"],
  ...["serverVersion", "charset", "uselibpqcompat", "supa", "workaround", "tcpKeepAlive"],
  ...["keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout"],
  ...["fallback_application_name", "load_balance_hosts", "sslcompression", "sslsni", "krbsrvname", "gsslib"],
]);
/** Parameters of which some values change nothing here, with what to do about the others. */
const HARMLESS: Record<string, { values: string[]; otherwise: string }> = {
  schema: { values: ["public"], otherwise: "the site's tables are in the schema public, so remove it" },
  currentSchema: {
    values: ["public"],
    otherwise: "the site's tables are in the schema public, so remove it",
  },
  channel_binding: {
    values: ["prefer", "disable"],
    otherwise: "the site's drivers cannot bind, so remove it and write sslmode=verify-full",
  },
  gssencmode: { values: ["disable", "prefer"], otherwise: "the site encrypts with TLS only, so remove it" },
  client_encoding: {
    values: ["utf8", "utf-8", "auto"],
    otherwise: "the site speaks UTF-8 only, so remove it",
  },
  target_session_attrs: {
    values: ["any", "read-write", "primary"],
    otherwise: "the site needs a server that takes writes, so remove it",
  },
  sslaccept: {
    values: [],
    otherwise:
      "write sslmode=verify-full instead of strict, or sslmode=require instead of accept_invalid_certs",
  },
};

/** Throws a UrlProblem that says what to write instead. */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  const { parameters, ...split } = splitUrl(url, SCHEMES);
  const isNamed = split.user !== null || split.path !== "";
  // Before any parameter is named: what looks like one may be a part of a password that a # has cut.
  if (!isNamed && !parameters.some(([name]) => ["user", "dbname"].includes(name)))
    throw new UrlProblem(NAMELESS);
  const given = readParameters(parameters);
  const host = oneOf("host", split.host, given.host) ?? "";
  if (`${host}${given.port}`.includes(",")) {
    throw new UrlProblem(
      "names several hosts, of which the site can use one: write the one that takes writes",
    );
  }
  return {
    host: host || "localhost",
    port: portOf(oneOf("port", split.port, given.port) ?? DEFAULT_PORT),
    user: oneOf("user", split.user, given.user),
    password: oneOf("password", split.password, given.password),
    database: oneOf("database", split.path, given.dbname),
    tls: readTls(given),
    applicationName: given.application_name ?? null,
    options: given.options ?? null,
    connectTimeoutSeconds: secondsOf(given.connect_timeout),
  };
}

/** Returns what is wrong, or null. */
export function databaseUrlProblem(url: string): string | null {
  try {
    parseDatabaseUrl(url);
    return null;
  } catch (error) {
    if (error instanceof UrlProblem) return error.message;
    throw error;
  }
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

function readParameters(parameters: [string, string][]): Given {
  const given: Given = {};
  for (const [name, value] of parameters) {
    if (DROPPED.has(name)) continue;
    const harmless = Object.hasOwn(HARMLESS, name) ? HARMLESS[name] : undefined;
    if (harmless !== undefined) {
      if (harmless.values.includes(value.toLowerCase())) continue;
      throw new UrlProblem(`has a ${name} that is not possible here: ${harmless.otherwise}`);
    }
    if (!READ.has(name))
      throw new UrlProblem(`has a parameter ${shown(name)} that the site does not know: remove it`);
    if (given[name] !== undefined) throw new UrlProblem(`has ${name} twice: leave one of them`);
    if (value !== "") given[name] = value;
  }
  return given;
}

/** A part of a password could stand where the name of a parameter belongs. */
function shown(name: string): string {
  return /^[a-z]+(?:[_A-Z][A-Za-z]*)*$/.test(name) && name.length <= 32 ? name : "after the ?";
}

function oneOf(what: string, first: string | null, second: string | undefined): string | null {
  if (first && second && first !== second) throw new UrlProblem(`names its ${what} twice: leave one of them`);
  return first || second || null;
}

/** Zero means no limit to libpq; here it means the site's own. */
function secondsOf(text: string | undefined): number | null {
  if (text === undefined || text === "0") return null;
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new UrlProblem("has a connect_timeout that is no number of seconds");
}
