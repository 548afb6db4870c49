const NOT_THERE =
  "The database at DATABASE_URL does not answer: start it, or leave DATABASE_URL empty for the built-in one.";
const NO_SUCH_HOST =
  "The host in DATABASE_URL cannot be found: correct its name, or see that this machine can look names up.";
const NO_WAY =
  "The host in DATABASE_URL cannot be reached: correct host and port, or see that network and firewall let this machine through.";
const CUT_OFF =
  "The database at DATABASE_URL closed the connection: see in its log why, then start the site again.";
const REFUSED =
  "The database at DATABASE_URL refuses the user or password: correct them in DATABASE_URL, or the password in DATABASE_PASSWORD.";
const NO_PASSWORD =
  "The database at DATABASE_URL demands a password: write it in DATABASE_URL or in DATABASE_PASSWORD.";
const NO_DATABASE =
  "The database that DATABASE_URL names does not exist: create it (createdb), or correct its name in DATABASE_URL.";
const NO_RIGHTS =
  "The user in DATABASE_URL may not make the site's tables: let it own the database, or name its owner in DATABASE_URL.";

const DEMANDS_TLS =
  "The database at DATABASE_URL demands encryption: add ?sslmode=require to DATABASE_URL, or &sslmode=require behind other parameters.";
const NOT_UNENCRYPTED =
  "The database at DATABASE_URL does not admit this user from this machine without encryption: add ?sslmode=require to DATABASE_URL (&sslmode=require behind other parameters) in place of any other sslmode or, if the server offers no encryption, add user and machine to its pg_hba.conf.";
const NO_TLS =
  "The database at DATABASE_URL offers no encryption: turn it on there (ssl = on), or write sslmode=disable, which is for a private network only and needs a line in its pg_hba.conf.";
const NOT_ADMITTED =
  "The database at DATABASE_URL does not admit this user from this machine: add both to its pg_hba.conf, or ?sslmode=require to DATABASE_URL when it demands encryption.";
const UNKNOWN_AUTHORITY =
  "The certificate of the database at DATABASE_URL comes from an authority that is not trusted here: add sslrootcert=<the file with the certificate of that authority> to DATABASE_URL, which its provider offers.";
const OTHER_NAME =
  "The certificate of the database at DATABASE_URL is for another name: write the name for which it is made as the host, or sslmode=verify-ca with its sslrootcert.";
const NOT_IN_TIME =
  "The certificate of the database at DATABASE_URL is not valid today: renew it there, or correct the clock of this machine.";
const NO_CERTIFICATE =
  "The database at DATABASE_URL demands a certificate of the client, or does not accept this one: add sslcert=<file> and sslkey=<file> to DATABASE_URL, as its provider offers them.";
const NO_HANDSHAKE =
  "The database at DATABASE_URL and this site find no encryption that both have: correct host and port, and leave sslnegotiation, ssl_min_protocol_version and ssl_max_protocol_version out of DATABASE_URL.";

/** Messages without a code. */
const MESSAGES: [RegExp, string][] = [
  // The server says this whether or not it could encrypt.
  [/pg_hba\.conf.*(?:no encryption|SSL off)$/, NOT_UNENCRYPTED],
  [/(?:SSL|TLS|encryption)(?: connection)?s? (?:is |are )?required|connection is insecure/i, DEMANDS_TLS],
  [/does not support SSL connections|error establishing an SSL connection/, NO_TLS],
  [/pg_hba\.conf/, NOT_ADMITTED],
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
  "No server listens at the socket that DATABASE_URL names: start it, correct host and port, or give this site its folder.";
const NOT_THEIR_SOCKET =
  "This user may not use the socket that DATABASE_URL names: correct its folder's rights, or start as another user.";

const SENTENCES: Record<string, string> = {
  ECONNREFUSED: NOT_THERE,
  CONNECT_TIMEOUT: NOT_THERE,
  ENOTFOUND: NO_SUCH_HOST,
  EAI_AGAIN: NO_SUCH_HOST,
  EHOSTUNREACH: NO_WAY,
  ENETUNREACH: NO_WAY,
  ETIMEDOUT: NO_WAY,
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
const FILE_SENTENCES: Record<string, (file: string) => string> = {
  EACCES: (file) => `This user may not use ${file}: start as its owner, or choose another DATA_DIR.`,
  EPERM: (file) => `This user may not change ${file}: start as its owner, or choose another DATA_DIR.`,
  ENOSPC: (file) => `No space is left for ${file}: free some, then start again.`,
  EDQUOT: (file) => `No space is left for ${file}: free some, then start again.`,
  EROFS: (file) => `${file} is read-only: choose another DATA_DIR.`,
  ENOTDIR: (file) => `${file} is not a folder: choose another DATA_DIR.`,
  EEXIST: (file) => `${file} is not a folder: choose another DATA_DIR.`,
};

/** A line with what to do; one for each wrong setting. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return `The site could not start: ${error}`;
  // Importing its class would read the settings again, and throw.
  if (error.name === "ConfigError") return error.message;
  if (error.name === "UrlProblem") return `Configuration: DATABASE_URL: ${error.message}`;
  const { code: causeCode = "" } = (error.cause ?? {}) as NodeJS.ErrnoException;
  const { code = causeCode, syscall, path = "the data folder" } = error as NodeJS.ErrnoException;
  const said = error.cause instanceof Error ? `${error.message}\n${error.cause.message}` : error.message;
  const [, sentence] =
    MESSAGES.find(([pattern]) => said.split("\n").some((line) => pattern.test(line))) ?? [];
  if (sentence !== undefined) return sentence;
  const isSocket = syscall === "connect" && !("port" in error);
  if (isSocket && code === "ENOENT") return NO_SOCKET;
  if (isSocket && ["EACCES", "EPERM"].includes(code)) return NOT_THEIR_SOCKET;
  const fileSentence = syscall === undefined || NO_FILE.test(syscall) ? undefined : FILE_SENTENCES[code];
  return (
    fileSentence?.(path) ?? SENTENCES[code] ?? error.message.split("\n", 1)[0] ?? "The site could not start."
  );
}
