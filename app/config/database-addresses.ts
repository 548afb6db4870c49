import { databaseUrlProblem, hasPassword, withPassword } from "./database-address.ts";
import type { Given, Problems } from "./setting-problems.ts";

type OfDatabase = "DATABASE_URL" | "DATABASE_DIRECT_URL" | "DATABASE_PASSWORD";

interface Addresses {
  /** For the short statements of the web processes. May lead to a pooler in transaction mode if `directUrl` differs. */
  url: string | undefined;
  /**
   * For everything else, which needs a session of its own (decision 222): what listens, holds a lock, a cursor or a
   * setting beyond a transaction, or runs for minutes. So the queue, the worker, migrations, backups and imports.
   */
  directUrl: string | undefined;
}

/** Both with their password. */
export function databaseAddresses(
  given: Given | { [setting in OfDatabase]?: string | undefined },
): Addresses {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_PASSWORD } = given;
  const complete = (url: string) => (hasPassword(url) ? url : withPassword(url, DATABASE_PASSWORD));
  const url = DATABASE_URL && complete(DATABASE_URL);
  return { url, directUrl: url && DATABASE_DIRECT_URL ? complete(DATABASE_DIRECT_URL) : url };
}

/** Beyond what each of them says alone. */
export function addressProblems({ DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_PASSWORD }: Given): Problems {
  if (!DATABASE_URL)
    return DATABASE_DIRECT_URL
      ? { DATABASE_DIRECT_URL: "is only for use beside DATABASE_URL: set that too, or leave both empty" }
      : {};
  if (!DATABASE_PASSWORD || databaseUrlProblem(DATABASE_URL) !== null || !hasPassword(DATABASE_URL))
    return {};
  return { DATABASE_PASSWORD: "cannot be used while DATABASE_URL has a password: remove one of them" };
}
