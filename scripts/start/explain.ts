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

const NO_NAME =
  "This user has no name on this machine, which PostgreSQL needs: start as one that /etc/passwd knows, or set DATABASE_URL.";

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
};

/** One line that says what to do, for whatever keeps the site from starting. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return "The site could not start: PostgreSQL gave no reason.";
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === "uv_os_get_passwd") return NO_NAME;
  const sentence = code === undefined ? undefined : SENTENCES[code];
  return sentence ?? error.message.split("\n", 1)[0] ?? "The site could not start.";
}
