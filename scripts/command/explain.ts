const NOT_THERE =
  "The database at DATABASE_URL does not answer: start it, or leave DATABASE_URL empty for the built-in one.";
const NO_SUCH_HOST =
  "The host in DATABASE_URL cannot be found: correct its name, or see that this machine can look names up.";
const NO_WAY =
  "The host in DATABASE_URL cannot be reached: correct host and port, or see that network and firewall let this machine through.";
const CUT_OFF =
  "The database at DATABASE_URL closed the connection: see in its log why, then start the site again.";
const REFUSED = "The database at DATABASE_URL refuses the user or password: correct them in DATABASE_URL.";
const NO_DATABASE =
  "The database that DATABASE_URL names does not exist: create it (createdb), or correct its name in DATABASE_URL.";
const NO_RIGHTS =
  "The user in DATABASE_URL may not make the site's tables: let it own the database, or name its owner in DATABASE_URL.";

const SENTENCES: Record<string, string> = {
  ECONNREFUSED: NOT_THERE,
  CONNECT_TIMEOUT: NOT_THERE,
  ENOTFOUND: NO_SUCH_HOST,
  EAI_AGAIN: NO_SUCH_HOST,
  EHOSTUNREACH: NO_WAY,
  ENETUNREACH: NO_WAY,
  ETIMEDOUT: NO_WAY,
  ECONNRESET: CUT_OFF,
  "28P01": REFUSED,
  "28000": REFUSED,
  "3D000": NO_DATABASE,
  "42501": NO_RIGHTS,
};

/** Failing calls that have nothing to do with the data folder. */
const NO_FILE = /^(spawn|connect|listen|getaddrinfo)/;
const FILE_SENTENCES: Record<string, (file: string) => string> = {
  EACCES: (file) => `This user may not use ${file}: start as its owner, or choose another DATA_DIR.`,
  EPERM: (file) => `This user may not change ${file}: start as its owner, or choose another DATA_DIR.`,
  ENOSPC: (file) => `No space is left for ${file}: free some, then start again.`,
  EDQUOT: (file) => `No space is left for ${file}: free some, then start again.`,
  EROFS: (file) => `${file} can only be read: choose another DATA_DIR.`,
  ENOTDIR: (file) => `${file} is not a folder: choose another DATA_DIR.`,
  EEXIST: (file) => `${file} is not a folder: choose another DATA_DIR.`,
};

/** Returns a line that says what to do about an error that prevents the start; one for each wrong setting. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return `The site could not start: ${error}`;
  // Importing its class would read the settings again, and throw.
  if (error.name === "ConfigError") return error.message;
  // The query builder wraps what the database says.
  const { code: causeCode = "" } = (error.cause ?? {}) as NodeJS.ErrnoException;
  const { code = causeCode, syscall, path = "the data folder" } = error as NodeJS.ErrnoException;
  const fileSentence = syscall === undefined || NO_FILE.test(syscall) ? undefined : FILE_SENTENCES[code];
  return (
    fileSentence?.(path) ?? SENTENCES[code] ?? error.message.split("\n", 1)[0] ?? "The site could not start."
  );
}
