import { type SQL, sql } from "drizzle-orm";
import type pg from "pg";
import { z } from "zod";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { type ArchiveEntry, damaged, readAs, readEntry } from "./archive.server.ts";
import {
  type BackupEnd,
  type BackupFile,
  type BackupHead,
  type BackupJob,
  endSchema,
  entryNames,
  fileSchema,
  jobSchema,
} from "./archive-format.ts";
import type { BackupDatabase } from "./connect.server.ts";
import { TableLoad } from "./load-table.server.ts";
import { tableNamed } from "./tables.server.ts";

/** Holds all jobs in the first format. */
const FORMER_JOBS = "jobs.json.gz";

/** Runs inside the transaction; its state is what the entries read so far contain. */
export class Restoration {
  #db: BackupDatabase;
  #client: pg.Client;
  #head: BackupHead;
  #table: TableLoad | null = null;
  #loaded: BackupEnd["tables"] = {};
  #stored = new Map<string, Omit<BackupFile, "storageKey">>();
  #files = 0;
  #fileBytes = 0;

  constructor(db: BackupDatabase, client: pg.Client, head: BackupHead) {
    this.#db = db;
    this.#client = client;
    this.#head = head;
  }

  async run(entries: AsyncGenerator<ArchiveEntry>, onDone: (bytes: number) => void) {
    await this.#setTriggers(sql`DISABLE`);
    let done = 0;
    let end: BackupEnd | null = null;
    for await (const entry of complete(entries)) {
      if (entry.name === entryNames.end) end = await readAs(endSchema, entry);
      else await this.#take(entry);
      done += entry.bytes;
      onDone(done);
    }
    await this.#endTable();
    if (end === null || !this.#isAll(end)) damaged();
    await this.#setTriggers(sql`ENABLE`);
    return { end, fileBytes: this.#fileBytes };
  }

  async #take(entry: ArchiveEntry): Promise<void> {
    const [folder, second = ""] = entry.name.split("/", 2);
    if (folder === "tables") return this.#addRows(second, await readEntry(entry).catch(damaged));
    await this.#endTable();
    if (folder === "jobs" || entry.name === FORMER_JOBS) {
      return this.#addJobs(await readAs(z.array(jobSchema), entry));
    }
    if (folder === "files") return this.#count(await readAs(z.array(fileSchema), entry));
    if (folder !== "media") damaged();
    const storageKey = entry.name.slice("media/".length);
    this.#stored.set(storageKey, await mediaStorage.put(storageKey, entry.content));
  }

  async #addRows(name: string, piece: Buffer): Promise<void> {
    if (this.#table?.name !== name) {
      await this.#endTable();
      const table = this.#head.tables.find((one) => one.name === name);
      if (table === undefined) damaged();
      this.#table = new TableLoad(this.#client, table);
    }
    await this.#table.add(piece);
  }

  async #endTable(): Promise<void> {
    if (this.#table === null) return;
    const { name } = this.#table;
    this.#loaded[name] = await this.#table.end();
    this.#table = null;
  }

  async #addJobs(jobs: BackupJob[]): Promise<void> {
    await this.#db.execute(sql`SELECT graphile_worker.add_jobs(array_agg((identifier, payload, queue_name, run_at,
        max_attempts, job_key, priority, NULL)::graphile_worker.job_spec))
      FROM json_to_recordset(${JSON.stringify(jobs)}::json) AS job(identifier text, payload json, queue_name text, run_at timestamptz,
        max_attempts smallint, job_key text, priority smallint)
      HAVING count(*) > 0`);
  }

  #count(files: BackupFile[]): void {
    this.#files += files.length;
    for (const { storageKey, bytes, sha256 } of files) {
      this.#fileBytes += bytes;
      if (!this.#head.hasMedia) continue;
      const stored = this.#stored.get(storageKey);
      if (stored?.bytes !== bytes || stored.sha256 !== sha256) damaged();
      this.#stored.delete(storageKey);
    }
  }

  #isAll(end: BackupEnd): boolean {
    return (
      end.files === this.#files &&
      this.#head.tables.every(({ name }) => {
        const loaded = this.#loaded[name];
        const expected = end.tables[name];
        return loaded
          ? loaded.sha256 === expected?.sha256 && loaded.rows === expected.rows
          : expected?.rows === 0;
      })
    );
  }

  /** Rows come as they were: triggers would count and announce them a second time. */
  async #setTriggers(verb: SQL): Promise<void> {
    for (const { name } of this.#head.tables) {
      await this.#db.execute(sql`ALTER TABLE ${tableNamed(name)} ${verb} TRIGGER USER`);
    }
  }
}

/** An archive that ends early or cannot be read is damaged. */
async function* complete(entries: AsyncGenerator<ArchiveEntry>): AsyncGenerator<ArchiveEntry> {
  for (;;) {
    const next = await entries.next().catch(damaged);
    if (next.done) return;
    yield next.value;
  }
}
