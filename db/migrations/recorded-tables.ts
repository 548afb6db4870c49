import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type JournalEntry, MIGRATIONS_FOLDER, readJournal, readMigration } from "./journal.ts";

// Needed because a backup is checked where no database is: decision 131.

export interface RecordedTable {
  name: string;
  /** With those that the database keeps for the previous release. */
  columns: string[];
  /** Other tables, which have to be filled before. */
  references: string[];
}

/** A table that migrations made by hand, of which drizzle-kit knows nothing. */
const BY_HAND = { name: "search_terms", columns: ["word"], references: [] };
/** Tables whose rows PostgreSQL may lose, which drizzle-kit does not record. */
const UNLOGGED = ["video_slots"];
const KEYS = "foreignKeys";
const ALTERED = /ALTER TABLE (?:ONLY )?"?(\w+)"?([^;]*)/gi;
const DROPPED = /DROP COLUMN (?:IF EXISTS )?"?(\w+)"?/gi;

interface Snapshot {
  tables: Record<
    string,
    {
      name: string;
      columns: Record<string, { name: string; generated?: unknown }>;
      [KEYS]: Record<string, { tableTo: string }>;
    }
  >;
}

/**
 * The site's tables after a migration, with the columns that are written, as drizzle-kit recorded them. A column that it no
 * longer records stays in the database until a statement drops it.
 */
export async function readRecordedTables({ tag }: JournalEntry): Promise<RecordedTable[]> {
  const journal = await readJournal();
  const until = journal.slice(0, journal.findIndex((entry) => entry.tag === tag) + 1);
  const snapshots = await Promise.all(until.map(readSnapshot));
  const migrations = await Promise.all(until.map(readMigration));
  const dropped = new Set(migrations.flatMap(({ statements }) => statements.flatMap(droppedBy)));
  const everIn = (key: string) =>
    snapshots.flatMap(({ tables }) => (tables[key] ? writtenIn(tables[key]) : []));
  const recorded = Object.entries(snapshots.at(-1)?.tables ?? {})
    .filter(([, { name }]) => !UNLOGGED.includes(name))
    .map(([key, table]) => {
      const columns = writtenIn(table);
      const isKept = (name: string) => columns.includes(name) || !dropped.has(`${table.name}.${name}`);
      return {
        name: table.name,
        columns: [...new Set(everIn(key))].filter(isKept),
        references: Object.values(table[KEYS])
          .map(({ tableTo }) => tableTo)
          .filter((target) => target !== table.name),
      };
    });
  return [...recorded, BY_HAND];
}

async function readSnapshot({ tag }: JournalEntry): Promise<Snapshot> {
  const [number = ""] = tag.split("_", 1);
  return JSON.parse(await readFile(join(MIGRATIONS_FOLDER, "meta", `${number}_snapshot.json`), "utf8"));
}

function writtenIn({ columns }: Snapshot["tables"][string]): string[] {
  return Object.values(columns).flatMap(({ name, generated }) => (generated ? [] : [name]));
}

/** Returns "table.column" for each column. */
function droppedBy(statement: string): string[] {
  return [...statement.matchAll(ALTERED)].flatMap(([, table, changes = ""]) =>
    [...changes.matchAll(DROPPED)].map(([, column]) => `${table}.${column}`),
  );
}
