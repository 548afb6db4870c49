/** One line that says what to do, for whatever keeps the site from starting. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return "The site could not start: PostgreSQL gave no reason.";
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "CONNECT_TIMEOUT") {
    return "The database at DATABASE_URL does not answer: start it, or leave DATABASE_URL empty for the built-in one.";
  }
  if (code === "28P01" || code === "28000") {
    return "The database at DATABASE_URL refuses the user or password: correct them in DATABASE_URL.";
  }
  return error.message.split("\n", 1)[0] ?? "The site could not start.";
}
