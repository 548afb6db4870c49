import { existsSync } from "node:fs";

/** Call it before the configuration is loaded and before any file is written. */
export function loadEnv(): void {
  // Media, mails and keys are only for the site's own user and group. The supervisor's child processes inherit the
  // umask.
  process.umask(0o027);
  // Variables set outside the file take precedence.
  if (existsSync(".env")) process.loadEnvFile(".env");
}
