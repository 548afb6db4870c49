import pino from "pino";
import { config } from "#app/config.server.ts";

/** Ids only: never an address, a token, a title, a search or a query string. */
export const log = pino({
  level: config.logLevel,
  base: undefined,
  redact: ["email", "token", "code", "cookie", "authorization", "*.email", "*.token", "*.cookie"],
});
