/** The database does not answer: try again in a moment. Kept apart from what the database answers. */
export class DatabaseAway extends Error {
  override name = "DatabaseAway";
}

/** Nothing was reached at all: worth telling everyone else not to try. */
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
/** One connection was lost in the middle of its work; the next one may well succeed. */
const LOST = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  // admin_shutdown, crash_shutdown, idle_in_transaction_session_timeout.
  "57P01",
  "57P02",
  "25P03",
]);

/** What an error of the driver says of the database; "answer" is everything that the database itself decided. */
export function meaningOf(error: unknown): "unreachable" | "lost" | "answer" {
  const code = codeOf(error);
  if (code !== null && UNREACHABLE.has(code)) return "unreachable";
  return code !== null && LOST.has(code) ? "lost" : "answer";
}

/** Also when another error, as of the query builder, is wrapped around it. */
export function isDatabaseAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DatabaseAway) return true;
  }
  return false;
}

/** Cancelled by the server because it, or its wait for a row, took longer than a statement may. */
export function isStatementTimeout(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (["57014", "55P03"].includes(codeOf(cause) ?? "")) return true;
  }
  return false;
}

function codeOf(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : null;
}
