import { createReadStream, createWriteStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { extract, type Header, pack } from "tar-stream";
import type { BackupEnd, BackupHead } from "#app/domain/backup/archive-format.ts";

interface CraftedEntry {
  name: string;
  body: Buffer;
  type?: Header["type"];
  linkname?: string;
}

/** The entries of a backup, to be changed as somebody with another program could do it. */
export class CraftedBackup {
  constructor(readonly entries: CraftedEntry[]) {}

  static async read(path: string): Promise<CraftedBackup> {
    const tar = extract();
    const passed = pipeline(createReadStream(path), tar);
    const entries: CraftedEntry[] = [];
    for await (const entry of tar)
      entries.push({
        name: entry.header.name,
        body: await buffer(entry as unknown as NodeJS.ReadableStream),
      });
    await passed;
    return new CraftedBackup(entries);
  }

  copy(): CraftedBackup {
    return new CraftedBackup(this.entries.map((entry) => ({ ...entry })));
  }

  async write(path: string): Promise<void> {
    const tar = pack();
    const written = pipeline(tar, createWriteStream(path));
    for (const { body, ...header } of this.entries) tar.entry(header, body);
    tar.finalize();
    await written;
  }

  named(name: string): CraftedEntry {
    const found = this.entries.find((entry) => entry.name === name);
    if (found === undefined) throw new Error(`No entry ${name}`);
    return found;
  }

  at(name: string): number {
    return this.entries.indexOf(this.named(name));
  }

  changeHead(change: (head: BackupHead) => void): void {
    changeJson(this.named("backup.json"), change);
  }

  changeEnd(change: (end: BackupEnd) => void): void {
    changeJson(this.named("end.json"), change);
  }

  /** Adds a table that the summary at the end describes truly. */
  addTable(name: string, columns: string[], rows: string): void {
    this.changeHead(({ tables }) => tables.push({ name, columns }));
    const entry = { name: `tables/${name}/000001.copy.gz`, body: gzipSync(rows) };
    this.entries.splice(this.#afterTables(), 0, entry);
    this.#count(name, rows);
  }

  removeTable(name: string): void {
    this.changeHead((head) => {
      head.tables = head.tables.filter((table) => table.name !== name);
    });
    this.changeEnd((end) => {
      delete end.tables[name];
    });
    const kept = this.entries.filter((entry) => !entry.name.startsWith(`tables/${name}/`));
    this.entries.splice(0, this.entries.length, ...kept);
  }

  /** Changes the rows of a table with one piece, and the summary with them. */
  changeRows(table: string, change: (rows: string) => string): void {
    const entry = this.named(`tables/${table}/000001.copy.gz`);
    const rows = change(gunzipSync(entry.body).toString());
    entry.body = gzipSync(rows);
    this.#count(table, rows);
  }

  changeList(name: string, change: (list: Record<string, unknown>[]) => void): void {
    const entry = this.named(name);
    const list = JSON.parse(gunzipSync(entry.body).toString());
    change(list);
    entry.body = gzipSync(JSON.stringify(list));
  }

  #afterTables(): number {
    return this.entries.findLastIndex(({ name }) => name.startsWith("tables/")) + 1;
  }

  #count(table: string, rows: string): void {
    this.changeEnd((end) => {
      end.tables[table] = { rows: rows.split("\n").length - 1 };
    });
  }
}

function changeJson<Content>(entry: CraftedEntry, change: (content: Content) => void): void {
  const content = JSON.parse(entry.body.toString());
  change(content);
  entry.body = Buffer.from(JSON.stringify(content));
}
