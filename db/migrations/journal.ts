import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const MIGRATIONS_FOLDER = "drizzle";
const JOURNAL = "meta/_journal.json";
const BREAKPOINT = "--> statement-breakpoint";
const OLDEST_BUILD = /^-- Oldest build: (\d{4}_\S+)$/m;
const WITHOUT_TRANSACTION = /^-- Without a transaction\b/m;

export interface JournalEntry {
  /** The name of its file, such as "0000_first_schema". */
  tag: string;
  /** Milliseconds since 1970; identifies the migration in the database. */
  when: number;
}

export interface Migration {
  name: string;
  when: number;
  hash: string;
  statements: string[];
  /**
   * The newest migration of the oldest build that still works after this one. A file without the line names
   * itself, so no older build is trusted with it.
   */
  oldestBuild: string;
  /** False for a file that says "Without a transaction"; its statements must be repeatable. */
  hasTransaction: boolean;
}

export async function readJournal(): Promise<JournalEntry[]> {
  const { entries } = JSON.parse(await readFile(join(MIGRATIONS_FOLDER, JOURNAL), "utf8"));
  return entries;
}

export async function readMigration(entry: JournalEntry): Promise<Migration> {
  return parseMigration(entry, await readFile(join(MIGRATIONS_FOLDER, `${entry.tag}.sql`), "utf8"));
}

export function parseMigration({ tag, when }: JournalEntry, text: string): Migration {
  return {
    name: tag,
    when,
    hash: createHash("sha256").update(text).digest("hex"),
    statements: text.split(BREAKPOINT),
    oldestBuild: OLDEST_BUILD.exec(text)?.[1] ?? tag,
    hasTransaction: !WITHOUT_TRANSACTION.test(text),
  };
}
