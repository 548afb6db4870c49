import { sql } from "drizzle-orm";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { listMigrations } from "#db/migrations/schema-state.ts";
import { type ArchiveWriter, writeArchive } from "./archive.server.ts";
import { type BackupDatabase, withLongConnection } from "./connect.server.ts";
import {
  type BackupEnd,
  type BackupFile,
  type BackupHead,
  type BackupJob,
  entryNames,
  FORMAT,
  type OnProgress,
} from "./contents.ts";
import { filesOf, sizeOfFiles } from "./stored-files.server.ts";
import { copyText, listTables, RowDigest, type Table } from "./tables.server.ts";

const PIECE_BYTES = 4 * 1024 * 1024;
const FILES_PER_PIECE = 10_000;

interface BackUpOptions {
  /** With the files themselves, and not only their hashes. */
  hasMedia: boolean;
  onProgress?: OnProgress;
}

/** Writes all tables, waiting jobs and the list of media files as one moment sees them, while the site runs. */
export async function backUp(
  url: string,
  path: string,
  { hasMedia, onProgress = () => {} }: BackUpOptions,
): Promise<BackupEnd> {
  const migration = (await listMigrations(url)).findLast(({ isApplied }) => isApplied)?.name ?? "";
  return withLongConnection(url, async (db, client) => {
    await db.execute(sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`);
    const tables = await listTables(db);
    const mediaBytes = hasMedia ? await sizeOfFiles(db) : 0;
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
      await archive.add(entryNames.head, JSON.stringify(head));
      for (const table of tables) {
        end.tables[table.name] = await addTable(archive, client, table);
        advance(table.bytes);
      }
      await archive.add(entryNames.jobs, JSON.stringify(await waitingJobs(db)));
      await addFiles(archive, db, hasMedia, end, advance);
      await archive.add(entryNames.end, JSON.stringify(end));
    });
    return end;
  });
}

async function timeOf(db: BackupDatabase): Promise<string> {
  const { rows } = await db.execute<{ time: string }>(
    sql`SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS time`,
  );
  return rows[0]?.time ?? "";
}

async function addTable(archive: ArchiveWriter, client: pg.Client, table: Table) {
  const digest = new RowDigest();
  let pieces = 0;
  let gathered: Buffer[] = [];
  let bytes = 0;
  const flush = async () => {
    pieces += 1;
    await archive.add(entryNames.table(table.name, pieces), Buffer.concat(gathered));
    gathered = [];
    bytes = 0;
  };
  const rows = client.query(copyTo(copyText(table, sql`TO STDOUT`)));
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    digest.add(chunk);
    gathered.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= PIECE_BYTES) await flush();
  }
  if (bytes > 0) await flush();
  return digest.end();
}

/** Cron's own jobs are left out: the worker queues them anew. */
async function waitingJobs(db: BackupDatabase): Promise<BackupJob[]> {
  const { rows } = await db.execute<BackupJob>(sql`
    SELECT identifier, payload, queue_name, run_at::text AS run_at, max_attempts, job.key AS job_key, job.priority
    FROM graphile_worker._private_jobs job JOIN graphile_worker._private_tasks task ON task.id = task_id
      LEFT JOIN graphile_worker._private_job_queues queue ON queue.id = job_queue_id
    WHERE attempts < max_attempts AND (payload::jsonb -> '_cron') IS NULL ORDER BY job.id`);
  return rows;
}

async function addFiles(
  archive: ArchiveWriter,
  db: BackupDatabase,
  hasMedia: boolean,
  end: BackupEnd,
  onDone: (bytes: number) => void,
): Promise<void> {
  let listed: BackupFile[] = [];
  let pieces = 0;
  const list = async () => {
    pieces += 1;
    await archive.add(entryNames.files(pieces), JSON.stringify(listed));
    listed = [];
  };
  for await (const file of filesOf(db)) {
    const stored = await mediaStorage.head(file.storageKey);
    if (stored?.bytes !== file.bytes) {
      end.missingFiles += 1;
      continue;
    }
    if (hasMedia) {
      const content = await mediaStorage.open(file.storageKey);
      await archive.addStream(entryNames.media(file.storageKey), file.bytes, content);
      onDone(file.bytes);
    }
    end.files += 1;
    listed.push(file);
    if (listed.length >= FILES_PER_PIECE) await list();
  }
  if (listed.length > 0) await list();
}
