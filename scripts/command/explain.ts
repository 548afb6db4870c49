import { POOLER } from "../supervisor/pooler.ts";

const BUILT_IN = ", or leave DATABASE_URL empty for the built-in one";
const NOT_THERE = `The database at DATABASE_URL does not answer: start it${BUILT_IN}.`;
const NO_SUCH_HOST =
  "The host in DATABASE_URL cannot be found: correct its name, or check this machine's DNS.";
const UNREACHABLE =
  "The host in DATABASE_URL cannot be reached: correct host and port, or check the network and the firewall.";
const CUT_OFF =
  "The database at DATABASE_URL closed the connection: check its log, then start the site again.";
const REFUSED =
  "The database at DATABASE_URL rejects the user or password: correct them in DATABASE_URL, or the password in DATABASE_PASSWORD.";
const NO_PASSWORD =
  "The database at DATABASE_URL requires a password: add it to DATABASE_URL, or set DATABASE_PASSWORD.";
const NO_DATABASE =
  "The database that DATABASE_URL names does not exist: create it (createdb), or correct its name in DATABASE_URL.";
const NO_RIGHTS =
  "The user in DATABASE_URL cannot create the site's tables: make it the owner of the database, or use the owner in DATABASE_URL.";

const DEMANDS_TLS =
  "The database at DATABASE_URL requires encryption: add ?sslmode=require to DATABASE_URL, or &sslmode=require after other parameters.";
const NOT_UNENCRYPTED =
  "The database at DATABASE_URL does not accept this user from this machine without encryption: add ?sslmode=require to DATABASE_URL (&sslmode=require after other parameters) in place of any other sslmode. If the server offers no encryption, add the user and the machine to its pg_hba.conf.";
const NO_TLS =
  "The database at DATABASE_URL offers no encryption: turn it on there (ssl = on), or use sslmode=disable, which is only for private networks and needs a line in its pg_hba.conf.";
const NOT_ADMITTED =
  "The database at DATABASE_URL does not accept this user from this machine: add both to its pg_hba.conf, or add ?sslmode=require to DATABASE_URL if it requires encryption.";
const UNKNOWN_AUTHORITY =
  "The certificate of the database at DATABASE_URL comes from an authority that this machine does not trust: get that authority's certificate from the provider, and add sslrootcert=<file> to DATABASE_URL.";
const OTHER_NAME =
  "The certificate of the database at DATABASE_URL is for another name: use the name it was issued for as the host, or sslmode=verify-ca with its sslrootcert.";
const NOT_IN_TIME =
  "The certificate of the database at DATABASE_URL is not valid today: renew it there, or correct the clock of this machine.";
const NO_CERTIFICATE =
  "The database at DATABASE_URL requires a client certificate, or does not accept this one: get one from its provider, and add sslcert=<file> and sslkey=<file> to DATABASE_URL.";
const NO_HANDSHAKE =
  "The database at DATABASE_URL and this site have no encryption in common: correct host and port, and remove sslnegotiation, ssl_min_protocol_version and ssl_max_protocol_version from DATABASE_URL.";

/** Messages without a code. */
const MESSAGES: [RegExp, string][] = [
  // The server says this whether or not it could encrypt.
  [/pg_hba\.conf.*(?:no encryption|SSL off)$/, NOT_UNENCRYPTED],
  [/(?:SSL|TLS|encryption)(?: connection)?s? (?:is |are )?required|connection is insecure/i, DEMANDS_TLS],
  [/does not support SSL connections|error establishing an SSL connection/, NO_TLS],
  [/pg_hba\.conf/, NOT_ADMITTED],
  [/unsupported startup parameter|support command-line options/i, POOLER],
  [
    /requires a valid client certificate|certificate authentication failed|alert (?:unknown ca|(?:\w+ )?certificate)/i,
    NO_CERTIFICATE,
  ],
  [/:SSL routines:/, NO_HANDSHAKE],
  [/client password must be/, NO_PASSWORD],
  [/^timeout expired|connection timeout$/, NOT_THERE],
  [/^Connection terminated/, CUT_OFF],
];

const NO_SOCKET =
  "No server listens at the socket that DATABASE_URL names: start it, correct host and port, or give this site access to its folder.";
const NOT_THEIR_SOCKET =
  "This user cannot use the socket that DATABASE_URL names: correct its folder's permissions, or start as another user.";

const SENTENCES: Record<string, string> = {
  ECONNREFUSED: NOT_THERE,
  CONNECT_TIMEOUT: NOT_THERE,
  ENOTFOUND: NO_SUCH_HOST,
  EAI_AGAIN: NO_SUCH_HOST,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  ECONNRESET: CUT_OFF,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_SIGNATURE_FAILURE: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID: OTHER_NAME,
  CERT_HAS_EXPIRED: NOT_IN_TIME,
  CERT_NOT_YET_VALID: NOT_IN_TIME,
  "28P01": REFUSED,
  "28000": REFUSED,
  "3D000": NO_DATABASE,
  "42501": NO_RIGHTS,
};

const NO_FILE = /^(spawn|connect|listen|getaddrinfo)/;
const noSpace = (file: string) => `No space is left for ${file}: free up some, then start again.`;
const noFolder = (file: string) => `${file} is not a folder: choose another DATA_DIR.`;
const FILE_SENTENCES: Record<string, (file: string) => string> = {
  EACCES: (file) => `This user cannot use ${file}: start as its owner, or choose another DATA_DIR.`,
  EPERM: (file) => `This user cannot change ${file}: start as its owner, or choose another DATA_DIR.`,
  ENOSPC: noSpace,
  EDQUOT: noSpace,
  EROFS: (file) => `${file} is read-only: choose another DATA_DIR.`,
  ENOTDIR: noFolder,
  EEXIST: noFolder,
};

/** One line that says what to do, or one for each wrong setting. An error's `setting` is the address that it is about. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return `The site could not start: ${error}`;
  const { setting = "DATABASE_URL" } = error as { setting?: string };
  if (setting === "DATABASE_URL") return sentence(error);
  // Only DATABASE_URL may be empty.
  return sentence(error)
    .replace(BUILT_IN, "")
    .replaceAll(/\bDATABASE_URL\b/g, setting);
}

function sentence(error: Error): string {
  // Importing its class would read the settings again, and throw.
  if (["ConfigError", "StorageUnavailableError"].includes(error.name)) return error.message;
  if (error.name === "UrlProblem") return `Configuration: DATABASE_URL: ${error.message}`;
  const { code: causeCode = "" } = (error.cause ?? {}) as NodeJS.ErrnoException;
  const { code = causeCode, syscall, path = "the data folder" } = error as NodeJS.ErrnoException;
  const said = error.cause instanceof Error ? `${error.message}\n${error.cause.message}` : error.message;
  const [, known] = MESSAGES.find(([pattern]) => said.split("\n").some((line) => pattern.test(line))) ?? [];
  if (known !== undefined) return known;
  const isSocket = syscall === "connect" && !("port" in error);
  if (isSocket && code === "ENOENT") return NO_SOCKET;
  if (isSocket && ["EACCES", "EPERM"].includes(code)) return NOT_THEIR_SOCKET;
  const fileSentence = syscall === undefined || NO_FILE.test(syscall) ? undefined : FILE_SENTENCES[code];
  return (
    fileSentence?.(path) ?? SENTENCES[code] ?? error.message.split("\n", 1)[0] ?? "The site could not start."
  );
}
