import { createHash } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { BackupError } from "./archive-format.ts";
import type { BackupDatabase } from "./long-connection.server.ts";

export type Table = {
  name: string;
  columns: string[];
  /** Estimated. */
  bytes: number;
};

type Row = Table & { references: string[] };

const TAB = 9;
const NEWLINE = 10;
const dialect = new PgDialect();

/** The site's tables in an order in which each comes after those that it references. Unlogged ones hold nothing to keep. */
export async function listTables(db: BackupDatabase): Promise<Table[]> {
  const { rows } = await db.execute<Row>(sql`
    SELECT relname AS name, pg_table_size(pg_class.oid)::float8 AS bytes,
      (SELECT json_agg(attname ORDER BY attnum) FROM pg_attribute
        WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns,
      COALESCE((SELECT json_agg(target.relname) FROM pg_constraint JOIN pg_class target ON target.oid = confrelid
        WHERE contype = 'f' AND conrelid = pg_class.oid AND confrelid <> conrelid), '[]') AS references
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relpersistence = 'p'
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
    ORDER BY relname`);
  const ordered: Table[] = [];
  const earlier = new Set<string>();
  let left = [...rows];
  while (left.length > 0) {
    const ready = left.filter(({ references }) => references.every((name) => earlier.has(name)));
    if (ready.length === 0) {
      throw new BackupError(`These tables reference each other: ${left.map(({ name }) => name).join(", ")}`);
    }
    for (const { name, columns, bytes } of ready) {
      ordered.push({ name, columns, bytes });
      earlier.add(name);
    }
    left = left.filter(({ name }) => !earlier.has(name));
  }
  return ordered;
}

/** The text of `COPY table (columns) FROM STDIN` or `TO STDOUT`. */
export function copyText({ name, columns }: Pick<Table, "name" | "columns">, direction: SQL): string {
  const list = sql.join(
    columns.map((column) => sql.identifier(column)),
    sql`, `,
  );
  return dialect.sqlToQuery(sql`COPY ${tableNamed(name)} (${list}) ${direction}`).sql;
}

export function tableNamed(name: string): SQL {
  return sql`${sql.identifier("public")}.${sql.identifier(name)}`;
}

/** Counts and hashes rows in COPY's text format, which has a line for each. */
export class RowDigest {
  #hash = createHash("sha256");
  #rows = 0;

  add(text: Uint8Array): void {
    this.#hash.update(text);
    for (let at = text.indexOf(NEWLINE); at !== -1; at = text.indexOf(NEWLINE, at + 1)) this.#rows += 1;
  }

  end(): { rows: number; sha256: string } {
    return { rows: this.#rows, sha256: this.#hash.digest("hex") };
  }
}

/** Whether rows in COPY's text format have a value for each column, so that a server takes all of them. */
export class RowShape {
  #columns: number;
  /** In the row that is being read. */
  #tabs = 0;
  #isWithinRow = false;

  constructor(columns: number) {
    this.#columns = columns;
  }

  /** Returns false at the first row with more or fewer values. A piece may end in the middle of a row. */
  add(piece: Uint8Array): boolean {
    for (const byte of piece) {
      this.#isWithinRow = byte !== NEWLINE;
      if (byte === TAB) this.#tabs += 1;
      if (byte !== NEWLINE) continue;
      if (this.#tabs !== this.#columns - 1) return false;
      this.#tabs = 0;
    }
    return true;
  }

  get isWhole(): boolean {
    return !this.#isWithinRow;
  }
}
