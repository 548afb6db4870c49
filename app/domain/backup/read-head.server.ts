import { z } from "zod";
import { readJournal } from "#db/migrations/journal.ts";
import { type RecordedTable, readRecordedTables } from "#db/migrations/recorded-tables.ts";
import { type ArchiveEntry, damaged, readAs } from "./archive.server.ts";
import {
  BackupError,
  type BackupHead,
  entryNames,
  FIRST_FORMAT,
  FORMAT,
  headSchema,
} from "./archive-format.ts";

const anyFormat = z.looseObject({ format: z.int() });
const BEFORE_THE_FIRST =
  "This backup is from before Peony's first release, and no later version can restore it: start with an empty DATA_DIR and database, and import your media again from the folders that they came from.";
const OTHER_TABLES =
  "This backup names other tables than the site has, so it was changed after it was made: take another one.";

/**
 * Throws a BackupError for another file, for a backup that this version cannot read, and for one whose tables are not
 * those of its migration in an order in which they can be filled.
 */
export async function readHead(entries: AsyncGenerator<ArchiveEntry>): Promise<BackupHead> {
  const first = await entries.next().catch(() => null);
  if (!first?.value || first.value.name !== entryNames.head) {
    throw new BackupError("This file is no backup of this site.");
  }
  const anyHead = await readAs(anyFormat, first.value);
  if (anyHead.format < FIRST_FORMAT) throw new BackupError(BEFORE_THE_FIRST);
  if (anyHead.format > FORMAT) throw newer(`format ${anyHead.format}`);
  const { success, data: head } = headSchema.safeParse(anyHead);
  if (!success) damaged();
  await requireKnownTables(head);
  return head;
}

async function requireKnownTables({ migration, tables }: BackupHead): Promise<void> {
  const entry = (await readJournal()).find(({ tag }) => tag === migration);
  if (entry === undefined) throw newer(migration);
  const recorded = await readRecordedTables(entry);
  const filled = new Set<string>();
  for (const { name } of tables) {
    const references = recorded.find((table) => table.name === name)?.references ?? [];
    if (references.some((target) => !filled.has(target))) throw new BackupError(OTHER_TABLES);
    filled.add(name);
  }
  if (!areRecorded(tables, recorded)) throw new BackupError(OTHER_TABLES);
}

function areRecorded(tables: NamedTable[], recorded: RecordedTable[]): boolean {
  const isRecorded = ({ name, columns }: NamedTable) => {
    const table = recorded.find((one) => one.name === name);
    return table !== undefined && haveSameColumns(columns, table.columns);
  };
  const names = new Set(tables.map(({ name }) => name));
  return names.size === tables.length && names.size === recorded.length && tables.every(isRecorded);
}

function haveSameColumns(some: string[], others: string[]): boolean {
  return JSON.stringify(some.toSorted()) === JSON.stringify(others.toSorted());
}

type NamedTable = BackupHead["tables"][number];

/** Whether both have the same tables with the same columns, in any order. */
export function haveSameTables(some: NamedTable[], others: NamedTable[]): boolean {
  return JSON.stringify(sorted(some)) === JSON.stringify(sorted(others));
}

function sorted(tables: NamedTable[]): string[][] {
  return tables
    .map(({ name, columns }) => [name, ...columns.toSorted()])
    .toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1));
}

function newer(what: string): BackupError {
  return new BackupError(
    `A newer version of the site made this backup (${what}): install that version first.`,
  );
}
