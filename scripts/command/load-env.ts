import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { ConfigError, type Problems } from "#app/config/setting-problems.ts";

const CUT_VALUE = /^\s*(?:export\s+)?([\w.-]+)[^\S\n]*=[^\S\n]*[^\s"'`#](?:[^#\n]*[^\s#])?#/gm;

/** Call it before the configuration is loaded and before any file is written. Throws a ConfigError. */
export function loadEnv(): void {
  // Media, emails and keys belong to the site's user and group only. Child processes inherit the umask.
  process.umask(0o027);
  if (!existsSync(".env")) return;
  const text = readEnv();
  const problems = cutValues(text);
  if (Object.keys(problems).length > 0) throw new ConfigError(problems);
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
}

function readEnv(): string {
  try {
    const text = readFileSync(".env", "utf8");
    // In UTF-16 every second byte is zero, and no setting would be found.
    if (text.includes("\0")) throw new ConfigError({ ".env": "is not UTF-8: save it as UTF-8" });
    // A byte order mark would become part of the first name.
    return text.replace(/^\ufeff/, "");
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const what = code === "EISDIR" ? "is a folder, not a file: remove it, and copy .env.example there" : null;
    throw new ConfigError({
      ".env": what ?? `cannot be read (${code}): make it readable for the user who starts the site`,
    });
  }
}

/** Compose and docker read a # inside a value as part of it, Node.js as the start of a comment. */
export function cutValues(text: string): Problems {
  const names = [...text.matchAll(CUT_VALUE)].map(([, name = ""]) => name);
  return Object.fromEntries(
    names.map((name) => [
      name,
      "contains a #, which begins a comment in .env: write %23 in a URL, and put any other value in single quotes",
    ]),
  );
}
