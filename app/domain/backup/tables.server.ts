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
