import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { StoredObject } from "#app/domain/media/storage/storage.ts";
import { type ArchiveEntry, damaged, readAs, readEntry, readListOf } from "./archive.server.ts";
import {
  type BackupEnd,
  type BackupFile,
  type BackupHead,
  type BackupJob,
  endSchema,
  fileSchema,
  jobSchema,
  storageKeySchema,
} from "./archive-format.ts";
import { ArchiveOrder, StorageKeys } from "./archive-order.ts";
import { RowDigest, RowShape, type Table } from "./tables.server.ts";

type StoredBytes = Pick<StoredObject, "bytes" | "sha256">;

/** Receives a backup's contents in their order. It has a part of them when the backup turns out to be damaged. */
export interface BackupTarget {
  openTable(table: Pick<Table, "name" | "columns">): RowTarget;
  addJobs(jobs: BackupJob[]): Promise<void>;
  putFile(storageKey: string, content: Readable): Promise<StoredBytes>;
}

export interface RowTarget {
  /** Rows in COPY's text format; a piece may end in the middle of a row. */
  add(piece: Buffer): Promise<void>;
  /** Throws a BackupError unless it has taken this number of rows. */
  end(rows: number): Promise<void>;
}

interface OpenTable {
  name: string;
  digest: RowDigest;
  shape: RowShape;
  rows: RowTarget;
}

interface ReadBackup {
  end: BackupEnd;
  /** The bytes of all files that the backup lists. */
  fileBytes: number;
}

/** Compares each table and media file of a backup with its hash while the target takes them. Its state is what was read so far. */
export class BackupReader {
  #head: BackupHead;
  #order: ArchiveOrder;
  #target: BackupTarget;
  #table: OpenTable | null = null;
  #tables: BackupEnd["tables"] = {};
  #jobs = createHash("sha256");
  #jobKeys = new Set<string>();
  #stored = new Map<string, StoredBytes>();
  #listed = new StorageKeys();
  #files = 0;
  #fileBytes = 0;
  #end: BackupEnd | null = null;

  constructor(head: BackupHead, target: BackupTarget) {
    this.#head = head;
    this.#order = new ArchiveOrder(head);
    this.#target = target;
  }

  /** `entries` are those after the head. Throws a BackupError when the backup is damaged or incomplete. */
  async run(entries: AsyncGenerator<ArchiveEntry>, onDone: (bytes: number) => void): Promise<ReadBackup> {
    let done = 0;
    for await (const entry of complete(entries)) {
      await this.#take(entry);
      done += entry.bytes;
      onDone(done);
    }
    const end = this.#end;
    if (end === null || !this.#isAll(end)) damaged();
    return { end, fileBytes: this.#fileBytes };
  }

  async #take(entry: ArchiveEntry): Promise<void> {
    const next = this.#order.next(entry.name);
    if (next.kind === "rows") return this.#addRows(next.table, await readEntry(entry).catch(damaged));
    await this.#endTable();
    if (next.kind === "jobs") return this.#addJobs(entry);
    if (next.kind === "files") return this.#count(await readListOf(fileSchema, entry));
    if (next.kind === "media") return this.#putFile(next.storageKey, entry.content);
    this.#end = await readAs(endSchema, entry);
  }

  async #addJobs(entry: ArchiveEntry): Promise<void> {
    const jobs = await readListOf(jobSchema, entry, (text) => this.#jobs.update(text));
    for (const { job_key: key } of jobs) {
      if (key === null) continue;
      // The queue would replace the job before it.
      if (this.#jobKeys.has(key)) damaged();
      this.#jobKeys.add(key);
    }
    await this.#target.addJobs(jobs);
  }

  async #putFile(storageKey: string, content: Readable): Promise<void> {
    if (!storageKeySchema.safeParse(storageKey).success) damaged();
    this.#stored.set(storageKey, await this.#target.putFile(storageKey, content));
  }

  async #addRows(table: BackupHead["tables"][number], piece: Buffer): Promise<void> {
    if (this.#table?.name !== table.name) {
      await this.#endTable();
      const shape = new RowShape(table.columns.length);
      this.#table = { name: table.name, digest: new RowDigest(), shape, rows: this.#target.openTable(table) };
    }
    this.#table.digest.add(piece);
    if (!this.#table.shape.add(piece)) damaged();
    await this.#table.rows.add(piece);
  }

  async #endTable(): Promise<void> {
    if (this.#table === null) return;
    const { name, digest, shape, rows } = this.#table;
    if (!shape.isWhole) damaged();
    const read = digest.end();
    await rows.end(read.rows);
    this.#tables[name] = read;
    this.#table = null;
  }

  #count(files: BackupFile[]): void {
    this.#files += files.length;
    for (const { storageKey, bytes, sha256 } of files) {
      this.#listed.add(storageKey);
      this.#fileBytes += bytes;
      if (!this.#head.hasMedia) continue;
      const stored = this.#stored.get(storageKey);
      if (stored?.bytes !== bytes || stored.sha256 !== sha256) damaged();
      this.#stored.delete(storageKey);
    }
  }

  #isAll(end: BackupEnd): boolean {
    return (
      end.jobs === this.#jobs.digest("hex") &&
      end.files === this.#files &&
      Object.keys(end.tables).length === this.#head.tables.length &&
      this.#head.tables.every(({ name }) => {
        const read = this.#tables[name];
        const expected = end.tables[name];
        return read ? read.sha256 === expected?.sha256 && read.rows === expected.rows : expected?.rows === 0;
      })
    );
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
