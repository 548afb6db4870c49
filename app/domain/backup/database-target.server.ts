import { once } from "node:events";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { type SQL, sql } from "drizzle-orm";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { damaged } from "./archive.server.ts";
import type { BackupHead, BackupJob } from "./archive-format.ts";
import type { BackupTarget, RowTarget } from "./backup-reader.server.ts";
import type { BackupDatabase } from "./long-connection.server.ts";
import { copyText, type Table, tableNamed } from "./tables.server.ts";

/** The classes of SQLSTATE for a value of the wrong type, for one that breaks a constraint, and for one that is too large. */
const VALUE_ERRORS = ["22", "23", "54"];

export class DatabaseTarget implements BackupTarget {
  #db: BackupDatabase;
  #client: pg.Client;

  constructor(db: BackupDatabase, client: pg.Client) {
    this.#db = db;
    this.#client = client;
  }

  openTable(table: Pick<Table, "name" | "columns">): RowTarget {
    const copy = this.#client.query(copyFrom(copyText(table, sql`FROM STDIN`)));
    const copied = finished(copy);
    // end() reports it.
    copied.catch(() => {});
    return {
      async add(piece) {
        if (!copy.write(piece)) await Promise.race([once(copy, "drain"), copied]).catch(refuseValues);
      },
      async end(rows) {
        copy.end();
        await copied.catch(refuseValues);
        if (copy.rowCount !== rows) damaged();
      },
    };
  }

  async addJobs(jobs: BackupJob[]): Promise<void> {
    await this.#db
      .execute(sql`SELECT graphile_worker.add_jobs(array_agg((identifier, payload, queue_name, run_at,
        max_attempts, job_key, priority, NULL)::graphile_worker.job_spec))
      FROM json_to_recordset(${JSON.stringify(jobs)}::json) AS job(identifier text, payload json, queue_name text, run_at timestamptz,
        max_attempts smallint, job_key text, priority smallint)
      HAVING count(*) > 0`)
      .catch(refuseValues);
  }

  putFile(storageKey: string, content: Readable) {
    return mediaStorage.put(storageKey, content);
  }
}

/** The database's own message about a value contains it. */
function refuseValues(error: { code?: string; cause?: { code?: string } }): never {
  const code = error.code ?? error.cause?.code ?? "";
  if (VALUE_ERRORS.some((beginning) => code.startsWith(beginning))) damaged();
  throw error;
}

/** Runs `fill` without the triggers of the backup's tables. After an error they stay off until the caller's rollback. */
export async function withoutTriggers<Result>(
  db: BackupDatabase,
  { tables }: BackupHead,
  fill: () => Promise<Result>,
): Promise<Result> {
  const setTriggers = async (verb: SQL) => {
    for (const { name } of tables) {
      await db.execute(sql`ALTER TABLE ${tableNamed(name)} ${verb} TRIGGER USER`);
    }
  };
  // Rows come as they were: triggers would count and announce them a second time.
  await setTriggers(sql`DISABLE`);
  const filled = await fill();
  await setTriggers(sql`ENABLE`);
  return filled;
}
