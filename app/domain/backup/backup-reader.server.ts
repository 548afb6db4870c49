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
} from "./archive-format.ts";
import { RowDigest, type Table } from "./tables.server.ts";

/** Holds all jobs in the first format. */
const FORMER_JOBS = "jobs.json.gz";

/** Receives a backup's contents in their order. It has a part of them when the backup turns out to be damaged. */
export interface BackupTarget {
  openTable(table: Pick<Table, "name" | "columns">): RowTarget;
  addJobs(jobs: BackupJob[]): Promise<void>;
  putFile(storageKey: string, content: Readable): Promise<StoredObject>;
}

export interface RowTarget {
  /** Rows in COPY's text format; a piece may end in the middle of a row. */
  add(piece: Buffer): Promise<void>;
  end(): Promise<void>;
}

interface OpenTable {
  name: string;
  digest: RowDigest;
  rows: RowTarget;
}

export interface ReadBackup {
  end: BackupEnd;
  /** The bytes of all files that the backup lists. */
  fileBytes: number;
}

/** Compares each table and media file of a backup with its hash while the target takes them. Its state is what was read so far. */
export class BackupReader {
  #head: BackupHead;
  #target: BackupTarget;
  #table: OpenTable | null = null;
  #tables: BackupEnd["tables"] = {};
  #stored = new Map<string, StoredObject>();
  #files = 0;
  #fileBytes = 0;

  constructor(head: BackupHead, target: BackupTarget) {
    this.#head = head;
    this.#target = target;
  }

  /** `entries` are those after the head. Throws a BackupError when the backup is damaged or incomplete. */
  async run(entries: AsyncGenerator<ArchiveEntry>, onDone: (bytes: number) => void): Promise<ReadBackup> {
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
    return { end, fileBytes: this.#fileBytes };
  }

  async #take(entry: ArchiveEntry): Promise<void> {
    const [folder, second = ""] = entry.name.split("/", 2);
    if (folder === "tables") return this.#addRows(second, await readEntry(entry).catch(damaged));
    await this.#endTable();
    if (folder === "jobs" || entry.name === FORMER_JOBS) {
      return this.#target.addJobs(await readAs(z.array(jobSchema), entry));
    }
    if (folder === "files") return this.#count(await readAs(z.array(fileSchema), entry));
    if (folder !== "media") damaged();
    const storageKey = entry.name.slice("media/".length);
    this.#stored.set(storageKey, await this.#target.putFile(storageKey, entry.content));
  }

  async #addRows(name: string, piece: Buffer): Promise<void> {
    if (this.#table?.name !== name) {
      await this.#endTable();
      const table = this.#head.tables.find((one) => one.name === name);
      if (table === undefined) damaged();
      this.#table = { name, digest: new RowDigest(), rows: this.#target.openTable(table) };
    }
    this.#table.digest.add(piece);
    await this.#table.rows.add(piece);
  }

  async #endTable(): Promise<void> {
    if (this.#table === null) return;
    const { name, digest, rows } = this.#table;
    await rows.end();
    this.#tables[name] = digest.end();
    this.#table = null;
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
