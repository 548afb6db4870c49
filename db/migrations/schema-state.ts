import type postgres from "postgres";
import { withConnection } from "../connection.ts";
import { type JournalEntry, readJournal } from "./journal.ts";

interface AppliedRow {
  when: number;
  name: string | null;
  oldestBuild: string | null;
}

interface ListedMigration {
  name: string;
  isApplied: boolean;
  isNewer: boolean;
}

export class UnsupportedSchemaError extends Error {}

const BEFORE_THE_FIRST =
  "This database is from before Peony's first release, and no later version can use it: start with an empty DATA_DIR and database, and import your media again from the folders that they came from. Accounts are not carried over.";

/** Throws an UnsupportedSchemaError. */
export async function requireSupportedSchema(sql: postgres.Sql): Promise<void> {
  const problem = await findSchemaProblem(sql);
  if (problem !== null) throw new UnsupportedSchemaError(problem);
}

/** One line with what to do, or null. */
export async function findSchemaProblem(sql: postgres.Sql): Promise<string | null> {
  const journal = await readJournal();
  const own = journal.at(-1)?.tag ?? "";
  const applied = await readApplied(sql);
  if (applied.some(isBeforeFirst(journal))) return BEFORE_THE_FIRST;
  const newer = newerThan(journal, applied);
  if (newer.every(({ oldestBuild }) => oldestBuild !== null && oldestBuild <= own)) return null;
  return `A newer version of Peony migrated the database (migration ${nameOf(newer.at(-1))}), and this one no longer works with it: start the newer version, or restore an earlier backup.`;
}

export async function listMigrations(url: string): Promise<ListedMigration[]> {
  const journal = await readJournal();
  const applied = await withConnection(url, readApplied);
  const known = new Set(applied.map(({ when }) => when));
  return [
    ...journal.map(({ tag, when }) => ({ name: tag, isApplied: known.has(when), isNewer: false })),
    ...newerThan(journal, applied).map((row) => ({ name: nameOf(row), isApplied: true, isNewer: true })),
  ];
}

export async function readApplied(sql: postgres.Sql): Promise<AppliedRow[]> {
  const [table] = await sql`SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS exists`;
  if (!table?.exists) return [];
  // drizzle-kit's own table lacks the last two columns.
  const rows = await sql`SELECT * FROM drizzle.__drizzle_migrations ORDER BY created_at`;
  return rows.map(({ created_at, name = null, oldest_build = null }) => ({
    when: Number(created_at),
    name,
    oldestBuild: oldest_build,
  }));
}

function newerThan(journal: JournalEntry[], applied: AppliedRow[]): AppliedRow[] {
  const own = new Set(journal.map(({ when }) => when));
  const isBefore = isBeforeFirst(journal);
  return applied.filter((row) => !own.has(row.when) && !isBefore(row));
}

function isBeforeFirst([first]: JournalEntry[]): (row: AppliedRow) => boolean {
  return ({ when }) => first !== undefined && when < first.when;
}

function nameOf(row: AppliedRow | undefined): string {
  return row?.name ?? "without a name";
}
