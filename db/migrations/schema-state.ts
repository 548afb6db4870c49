import type postgres from "postgres";
import { withConnection } from "../connection.ts";
import { readJournal } from "./journal.ts";

interface AppliedRow {
  when: number;
  /** Null for a migration that was applied by a version without these columns. */
  name: string | null;
  oldestBuild: string | null;
}

interface ListedMigration {
  name: string;
  isApplied: boolean;
  /** Applied by a newer build; this one does not have it. */
  isNewer: boolean;
}

/** Says in one line why this build may not use the database. */
export class NewerSchemaError extends Error {}

/** Throws a NewerSchemaError when a newer build has changed the schema in a way with which this one cannot work. */
export async function requireSupportedSchema(sql: postgres.Sql): Promise<void> {
  const problem = await findSchemaProblem(sql);
  if (problem !== null) throw new NewerSchemaError(problem);
}

/** One line that says what to do, or null when this build works with the schema. */
export async function findSchemaProblem(sql: postgres.Sql): Promise<string | null> {
  const journal = await readJournal();
  const own = journal.at(-1)?.tag ?? "";
  const newer = newerThan(journal, await readApplied(sql));
  if (newer.every(({ oldestBuild }) => oldestBuild !== null && oldestBuild <= own)) return null;
  return `The database was migrated by a newer version of Peony (migration ${nameOf(newer.at(-1))}), and this one no longer works with it: start that version, or restore a backup from before.`;
}

/** This build's migrations, then those that only newer builds have. */
export async function listMigrations(url: string): Promise<ListedMigration[]> {
  const journal = await readJournal();
  const applied = await withConnection(url, readApplied);
  const known = new Set(applied.map(({ when }) => when));
  return [
    ...journal.map(({ tag, when }) => ({ name: tag, isApplied: known.has(when), isNewer: false })),
    ...newerThan(journal, applied).map((row) => ({ name: nameOf(row), isApplied: true, isNewer: true })),
  ];
}

/** In the order of their making; empty for a database without migrations. */
export async function readApplied(sql: postgres.Sql): Promise<AppliedRow[]> {
  const [table] = await sql`SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS exists`;
  if (!table?.exists) return [];
  // The columns are absent in a database of an older version.
  const rows = await sql`SELECT created_at, to_jsonb(migration) ->> 'name' AS name,
      to_jsonb(migration) ->> 'oldest_build' AS oldest_build
    FROM drizzle.__drizzle_migrations migration ORDER BY created_at`;
  return rows.map(({ created_at, name, oldest_build }) => ({
    when: Number(created_at),
    name,
    oldestBuild: oldest_build,
  }));
}

function newerThan(journal: { when: number }[], applied: AppliedRow[]): AppliedRow[] {
  const own = new Set(journal.map(({ when }) => when));
  return applied.filter(({ when }) => !own.has(when));
}

function nameOf(row: AppliedRow | undefined): string {
  return row?.name ?? "without a name";
}
