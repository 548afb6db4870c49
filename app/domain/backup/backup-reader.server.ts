import type { Readable } from "node:stream";
import { z } from "zod";
import type { StoredObject } from "#app/domain/media/storage/storage.ts";
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
  storageKeySchema,
} from "./archive-format.ts";
import type { Table } from "./tables.server.ts";

const NEWLINE = 10;
const TABLE_PIECE = /^tables\/([^/]+)\/\d{6}\.copy\.gz$/;
const LIST_PIECE = /^(jobs|files)\/\d{6}\.json\.gz$/;
const MEDIA = /^media\/(.+)$/;

type StoredBytes = Pick<StoredObject, "bytes" | "sha256">;

/** Receives a backup's contents. It has a part of them when the backup turns out to be damaged. */
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

interface ReadBackup {
  end: BackupEnd;
  fileBytes: number;
}

/** Counts rows and compares media files with their hashes while the target takes them. Its state is what was read so far. */
export class BackupReader {
  #head: BackupHead;
  #target: BackupTarget;
  #open: { name: string; rows: number; into: RowTarget } | null = null;
  #rows = new Map<string, number>();
  #stored = new Map<string, StoredBytes>();
  #files = 0;
  #fileBytes = 0;
  #end: BackupEnd | null = null;

  constructor(head: BackupHead, target: BackupTarget) {
    this.#head = head;
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
    const [, table] = TABLE_PIECE.exec(entry.name) ?? [];
    if (table !== undefined) return this.#addRows(table, await readEntry(entry));
    await this.#endTable();
    const [, list] = LIST_PIECE.exec(entry.name) ?? [];
    if (list === "jobs") return this.#target.addJobs(await readAs(z.array(jobSchema), entry));
    if (list === "files") return this.#count(await readAs(z.array(fileSchema), entry));
    const [, storageKey] = MEDIA.exec(entry.name) ?? [];
    if (storageKey !== undefined) return this.#putFile(storageKey, entry.content);
    if (entry.name !== entryNames.end) damaged();
    this.#end = await readAs(endSchema, entry);
  }

  async #addRows(name: string, piece: Buffer): Promise<void> {
    if (this.#open?.name !== name) {
      await this.#endTable();
      const table = this.#head.tables.find((one) => one.name === name) ?? damaged();
      this.#open = { name, rows: 0, into: this.#target.openTable(table) };
    }
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1))
      this.#open.rows += 1;
    await this.#open.into.add(piece);
  }

  async #endTable(): Promise<void> {
    if (this.#open === null) return;
    const { name, rows, into } = this.#open;
    await into.end(rows);
    this.#rows.set(name, (this.#rows.get(name) ?? 0) + rows);
    this.#open = null;
  }

  async #putFile(storageKey: string, content: Readable): Promise<void> {
    if (!this.#head.hasMedia || !storageKeySchema.safeParse(storageKey).success) damaged();
    this.#stored.set(storageKey, await this.#target.putFile(storageKey, content));
  }

  #count(files: BackupFile[]): void {
    this.#files += files.length;
    for (const { storageKey, bytes, sha256 } of files) {
      this.#fileBytes += bytes;
      if (!this.#head.hasMedia) continue;
      const stored = this.#stored.get(storageKey);
      if (stored?.bytes !== bytes || stored.sha256 !== sha256) damaged();
    }
  }

  #isAll(end: BackupEnd): boolean {
    return (
      end.files === this.#files &&
      this.#head.tables.every(({ name }) => end.tables[name]?.rows === (this.#rows.get(name) ?? 0))
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
