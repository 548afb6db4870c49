// Needed because postgres.js reports a server that is gone under many codes: decision 035.

/** A retry may succeed. Distinct from errors that the database itself returns. */
export class DatabaseUnreachable extends Error {
  override name = "DatabaseUnreachable";
}

/** No connection at all: other queries should not try either. */
const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EPIPE",
  "ENOENT",
  "CONNECT_TIMEOUT",
  // cannot_connect_now: starting up or shutting down. too_many_connections.
  "57P03",
  "53300",
]);
/** Node's codes for a certificate that cannot be trusted, as one that has expired while the site ran. */
const UNTRUSTED = /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;
/** A connection was lost during its work; the next one may succeed. */
const LOST = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  // admin_shutdown, crash_shutdown, idle_in_transaction_session_timeout.
  "57P01",
  "57P02",
  "25P03",
  // Of PgBouncer, which has lost the server.
  "08P01",
]);

/** The meaning of a driver error; "answer" is any error that the database itself returned. */
export function meaningOf(error: unknown): "unreachable" | "lost" | "answer" {
  const code = codeOf(error);
  if (code !== null && (UNREACHABLE.has(code) || UNTRUSTED.test(code))) return "unreachable";
  return code !== null && LOST.has(code) ? "lost" : "answer";
}

/** Also finds the cause of a wrapping error, such as the query builder's. */
export function isDatabaseUnreachable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DatabaseUnreachable) return true;
  }
  return false;
}

/** The server canceled a statement, or its wait for a row, for taking too long. */
export function isStatementTimeout(error: unknown): boolean {
  return hasCode(error, ["57014", "55P03"]);
}

/** The server ended one of two transactions that waited for each other. Tried again, it succeeds. */
export function isDeadlock(error: unknown): boolean {
  return hasCode(error, ["40P01"]);
}

function hasCode(error: unknown, codes: string[]): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (codes.includes(codeOf(cause) ?? "")) return true;
  }
  return false;
}

function codeOf(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : null;
}
