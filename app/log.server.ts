import { writeSync } from "node:fs";
import pino from "pino";
import { config } from "./config.server.ts";

/** Under the supervisor, a log that nobody reads for a while, as after Ctrl-S, must not stop the site. */
const isSupervised = process.send !== undefined;
const destination = pino.destination({ dest: process.stdout.fd, sync: !isSupervised });
if (isSupervised) process.prependListener("exit", giveUpClosedLog);

/** Log ids only: never an address, a token, a title, a search or a query string. */
export const log = pino(
  {
    level: config.logLevel,
    base: undefined,
    redact: ["email", "token", "code", "cookie", "authorization", "*.email", "*.token", "*.cookie"],
    serializers: { err: withoutValues },
  },
  destination,
);

/** Lines that wait at the exit would be retried for ever when the supervisor was killed (sonic-boom 4.2.1). */
function giveUpClosedLog(): void {
  try {
    writeSync(process.stdout.fd, "");
  } catch (error) {
    destination.emit("error", error);
  }
}

/** The error without statement values and Postgres's messages, which may hold personal data. */
export function withoutValues(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { query, code, cause } = error as Error & { query?: unknown; code?: unknown };
  const isStatement = typeof query === "string";
  return {
    type: error.constructor.name,
    ...(code === undefined ? {} : { errorCode: code }),
    ...(isStatement ? { statement: query } : {}),
    ...(isStatement || error.name === "PostgresError" ? {} : { message: error.message }),
    at: error.stack?.split("\n").filter((line) => /^\s+at /.test(line)),
    ...(cause === undefined ? {} : { cause: withoutValues(cause) }),
  };
}
