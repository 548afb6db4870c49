import { sql } from "drizzle-orm";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { storageOf } from "#app/domain/media/storage/media-storage.server.ts";
import type { StoredAt } from "#app/domain/media/storage/storage.ts";
import { readOne, readRow, text } from "#db/rows.ts";
import { type ArchiveWriter, inPieces, listsOf, writeArchive } from "./archive.server.ts";
import {
  type BackupEnd,
  BackupError,
  type BackupHead,
  type BackupJob,
  entryNames,
  FORMAT,
  type OnProgress,
} from "./archive-format.ts";
import { type BackupDatabase, openCursor, withLongConnection } from "./long-connection.server.ts";
import { openFiles, sizeOfFiles, storedFiles } from "./stored-files.server.ts";
import { copyText, listTables, type Table } from "./tables.server.ts";

interface BackUpOptions {
  /** With the files themselves, and not only their hashes. */
  hasMedia: boolean;
  /** A week when omitted. */
  withinMs?: number;
  onProgress?: OnProgress;
}

/** Writes all tables, waiting jobs and the list of media files as one moment sees them, while the site runs. */
export async function backUp(
  url: string,
  path: string,
  { hasMedia, withinMs, onProgress = () => {} }: BackUpOptions,
): Promise<BackupEnd> {
  return withLongConnection(
    url,
    async (db, client) => {
      await db.execute(sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`);
      const migration = await newestMigration(db);
      const tables = await listTables(db);
      const mediaBytes = hasMedia ? await sizeOfFiles(db, tables) : 0;
      const tableBytes = tables.reduce((sum, { bytes }) => sum + bytes, 0);
      let done = 0;
      const advance = (bytes: number) => {
        done += bytes;
        onProgress({ done, total: tableBytes + mediaBytes });
      };
      const head: BackupHead = {
        format: FORMAT,
        createdAt: await timeOf(db),
        migration,
        tables: tables.map(({ name, columns }) => ({ name, columns })),
        hasMedia,
      };
      const end: BackupEnd = { tables: {}, files: 0, missingFiles: 0 };
      await writeArchive(path, async (archive) => {
        const addBytes = async ({ storage, storageKey }: StoredAt, bytes: number) => {
          const content = await storageOf(storage).open(storageKey);
          const sha256 = await archive.addStream(entryNames.media(storageKey), bytes, content);
          advance(bytes);
          return sha256;
        };
        await archive.add(entryNames.head, JSON.stringify(head));
        for (const table of tables) {
          end.tables[table.name] = { rows: await addTable(archive, client, table) };
          advance(table.bytes);
        }
        await addLists(archive, entryNames.jobs, await waitingJobs(db));
        const named = await openFiles(db, tables);
        // Files may take hours, and a migration cannot change a table for as long as a transaction has read it.
        await db.execute(sql`COMMIT`);
        await addLists(archive, entryNames.files, storedFiles(named, end, hasMedia ? addBytes : null));
        await archive.add(entryNames.end, JSON.stringify(end));
      });
      return end;
    },
    withinMs,
  );
}

function timeOf(db: BackupDatabase): Promise<string> {
  return readOne(db, text)`SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
}

async function addTable(archive: ArchiveWriter, client: pg.Client, table: Table): Promise<number> {
  const copy = client.query(copyTo(copyText(table, sql`TO STDOUT`)));
  let piece = 0;
  for await (const chunks of inPieces<Buffer>(copy)) {
    piece += 1;
    await archive.add(entryNames.table(table.name, piece), Buffer.concat(chunks));
  }
  return copy.rowCount ?? 0;
}

async function addLists(
  archive: ArchiveWriter,
  nameOf: (piece: number) => string,
  items: AsyncIterable<unknown>,
): Promise<void> {
  let piece = 0;
  for await (const list of listsOf(items)) {
    piece += 1;
    await archive.add(nameOf(piece), list);
  }
}

/** Cron's own jobs are left out: the worker queues them anew. */
function waitingJobs(db: BackupDatabase): Promise<AsyncGenerator<BackupJob>> {
  return openCursor<BackupJob>(
    db,
    "jobs",
    sql`SELECT identifier, payload, queue_name, run_at::text AS run_at, max_attempts, job.key AS job_key, job.priority
      FROM graphile_worker._private_jobs job JOIN graphile_worker._private_tasks task ON task.id = task_id
        LEFT JOIN graphile_worker._private_job_queues queue ON queue.id = job_queue_id
      WHERE attempts < max_attempts AND (payload::jsonb -> '_cron') IS NULL ORDER BY job.id`,
  );
}

/** The newest migration as the transaction sees it. Throws a BackupError for a database that is not the site's. */
async function newestMigration(db: BackupDatabase): Promise<string> {
  const { rows: tables } = await db.execute(
    sql`SELECT FROM pg_class WHERE oid = to_regclass('drizzle.__drizzle_migrations')`,
  );
  if (tables.length === 0) throw new BackupError("The database has no tables of the site: start it once.");
  const name = await readRow(db, text.nullable())`
    SELECT name FROM drizzle.__drizzle_migrations ORDER BY created_at DESC LIMIT 1`;
  if (!name) throw new BackupError("The database has no tables of the site: start it once.");
  return name;
}
