import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const MIGRATIONS_FOLDER = "drizzle";
const JOURNAL = "meta/_journal.json";
const BREAKPOINT = "--> statement-breakpoint";
const OLDEST_BUILD = /^-- Oldest build: (\d{4}_\S+)$/m;
const WITHOUT_TRANSACTION = /^-- Without a transaction\b/m;

export interface JournalEntry {
  /** The name of its file, which begins with four digits: "0000_first_schema". */
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
   * The newest migration of the oldest build that works after this one. A file that does not say so has its own name
   * here, so no older build is trusted with it.
   */
  oldestBuild: string;
  /** False for a file that says "Without a transaction", whose statements have to bear repetition. */
  hasTransaction: boolean;
}

/** This build's migrations in their order. */
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
