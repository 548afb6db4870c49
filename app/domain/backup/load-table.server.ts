import { once } from "node:events";
import { finished } from "node:stream/promises";
import { sql } from "drizzle-orm";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { copyText, RowDigest, type Table } from "./tables.server.ts";

/** Fills one table from the pieces of its rows, which may end in the middle of a row. */
export class TableLoad {
  readonly name: string;
  #digest = new RowDigest();
  #copy: ReturnType<typeof copyFrom>;
  #finished: Promise<void>;

  constructor(client: pg.Client, table: Pick<Table, "name" | "columns">) {
    this.name = table.name;
    this.#copy = client.query(copyFrom(copyText(table, sql`FROM STDIN`)));
    this.#finished = finished(this.#copy);
    // end() reports it.
    this.#finished.catch(() => {});
  }

  async add(piece: Buffer): Promise<void> {
    this.#digest.add(piece);
    if (!this.#copy.write(piece)) await Promise.race([once(this.#copy, "drain"), this.#finished]);
  }

  async end(): Promise<{ rows: number; sha256: string }> {
    this.#copy.end();
    await this.#finished;
    return this.#digest.end();
  }
}
