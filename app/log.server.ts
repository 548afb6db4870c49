import { writeSync } from "node:fs";
import pino from "pino";
import { config } from "./config.server.ts";

/** Under the supervisor, a log that nobody reads, as after Ctrl-S, must not stop the site. */
const isSupervised = process.send !== undefined;
const destination = openOutput({ isWaiting: !isSupervised });

/** Log only ids: never an address, a token, a title, a search or a query string. */
export const log = pino(
  {
    level: config.logLevel,
    base: undefined,
    redact: ["email", "token", "code", "cookie", "authorization", "*.email", "*.token", "*.cookie"],
    serializers: { err: withoutValues },
  },
  destination,
);

/** Unless `isWaiting`, a reader that stops never stops this process. */
export function openOutput({ isWaiting, maxLength }: { isWaiting: boolean; maxLength?: number }) {
  const output = pino.destination({ dest: process.stdout.fd, sync: isWaiting, maxLength });
  // After the supervisor was killed, sonic-boom 4.2.1 would retry the waiting lines forever at the exit.
  const endIfClosed = () => {
    try {
      writeSync(process.stdout.fd, "");
    } catch (error) {
      output.emit("error", error);
    }
  };
  if (!isWaiting) process.prependListener("exit", endIfClosed);
  return output;
}

/** Statement values, Postgres's messages and file paths may hold personal data. */
export function withoutValues(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { query, code, cause, path, syscall } = error as NodeJS.ErrnoException & { query?: unknown };
  const isStatement = typeof query === "string";
  const message = path === undefined ? error.message : (syscall ?? error.message);
  return {
    type: error.constructor.name,
    ...(code === undefined ? {} : { errorCode: code }),
    ...(isStatement ? { statement: query } : {}),
    ...(isStatement || error.name === "PostgresError" ? {} : { message }),
    at: error.stack?.split("\n").filter((line) => /^\s+at /.test(line)),
    ...(cause === undefined ? {} : { cause: withoutValues(cause) }),
  };
}
