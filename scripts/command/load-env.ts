import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { ConfigError, type Problems } from "#app/config/setting-problems.ts";

/** A name, and a value outside of quotes up to a # that follows it at once. */
const CUT_VALUE = /^\s*(?:export\s+)?([\w.-]+)[^\S\n]*=[^\S\n]*[^\s"'`#](?:[^#\n]*[^\s#])?#/gm;

/**
 * Call it before the configuration is loaded and before any file is written. Throws a ConfigError for a value in .env of
 * which only a part would be read.
 */
export function loadEnv(): void {
  // Media, mails and keys are only for the site's own user and group. The supervisor's child processes inherit the
  // umask.
  process.umask(0o027);
  if (!existsSync(".env")) return;
  const text = readFileSync(".env", "utf8");
  const problems = cutValues(text);
  if (Object.keys(problems).length > 0) throw new ConfigError(problems);
  // Variables set outside the file take precedence.
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
}

/** Compose and docker take such a # for a part of the value, and Node.js for a comment. */
export function cutValues(text: string): Problems {
  const names = [...text.matchAll(CUT_VALUE)].map(([, name = ""]) => name);
  return Object.fromEntries(
    names.map((name) => [
      name,
      "has a # in .env, where a comment begins: write %23 in a URL, and put any other value in single quotes",
    ]),
  );
}
