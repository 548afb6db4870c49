// Needed because the type of a raw statement's rows is only a claim: decision 197.

import { type SQL, type SQLChunk, sql } from "drizzle-orm";
import { z } from "zod";

export const text = z.string();
export const number = z.number();
export const flag = z.boolean();
/** As the drivers and PostgreSQL's JSON write it. */
export const timestamp = text.pipe(z.coerce.date());
/** For what this site itself has written, where a schema would only repeat the type. */
export const json = <Value>() => z.custom<Value>((value) => value !== undefined && value !== null);

type Row = Record<string, unknown>;
type Executor = { execute(query: SQL): PromiseLike<Row[] | { rows: Row[] }> };
type Statement<Result> = (strings: TemplateStringsArray, ...values: unknown[]) => Promise<Result>;

/**
 * Tags a statement. Throws when a column is missing or has another type; columns that the schema does not name are left
 * out. A schema that is no object, nor a union of objects, is for the only column.
 */
export function readRows<S extends z.ZodType>(executor: Executor, schema: S): Statement<z.output<S>[]> {
  const isValue = !(schema instanceof z.ZodObject || schema instanceof z.ZodUnion);
  return async (strings, ...values) => {
    const found = await executor.execute(sql(strings, ...(values as SQLChunk[])));
    const rows = Array.isArray(found) ? found : found.rows;
    return rows.map((row) => schema.parse(isValue ? Object.values(row)[0] : row));
  };
}

/** The first row, or null. */
export function readRow<S extends z.ZodType>(executor: Executor, schema: S): Statement<z.output<S> | null> {
  return async (...statement) => (await readRows(executor, schema)(...statement))[0] ?? null;
}

/** For a statement that always has a row, as a count does. */
export function readOne<S extends z.ZodType>(executor: Executor, schema: S): Statement<z.output<S>> {
  return async (...statement) => {
    const rows = await readRows(executor, schema)(...statement);
    if (rows.length === 0) throw new Error("The statement found no row");
    return rows[0] as z.output<S>;
  };
}
