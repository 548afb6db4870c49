import { damaged } from "./archive.server.ts";
import { type BackupHead, entryNames } from "./archive-format.ts";

const MEDIA = "media/";
const ORDER = ["rows", "jobs", "files", "end"] as const;

type Entry =
  | { kind: "rows"; table: BackupHead["tables"][number] }
  | { kind: "jobs" }
  | { kind: "files" }
  | { kind: "media"; storageKey: string }
  | { kind: "end" };

/**
 * Says what each entry after the head is. Throws a BackupError for a name that a backup with this head does not have, or
 * not there: every piece comes once and in its order, so nothing is filled or stored twice.
 */
export class ArchiveOrder {
  #head: BackupHead;
  #section: (typeof ORDER)[number] = "rows";
  /** Pieces of the current table or list. */
  #pieces = 0;
  #table = -1;
  #media = new StorageKeys();

  constructor(head: BackupHead) {
    this.#head = head;
  }

  next(name: string): Entry {
    if (this.#section === "end") damaged();
    const [folder] = name.split("/", 1);
    if (folder === "tables") return this.#rows(name);
    if (folder === "jobs" || folder === "files") return this.#list(folder, name);
    if (name.startsWith(MEDIA)) return this.#file(name.slice(MEDIA.length));
    if (name !== entryNames.end) damaged();
    this.#enter("end");
    return { kind: "end" };
  }

  #rows(name: string): Entry {
    this.#enter("rows");
    const { tables } = this.#head;
    const at = tables.findIndex((table) => name.startsWith(`tables/${table.name}/`));
    const table = tables[at];
    if (table === undefined || at < this.#table) damaged();
    if (at > this.#table) this.#pieces = 0;
    this.#table = at;
    this.#pieces += 1;
    if (name !== entryNames.table(table.name, this.#pieces)) damaged();
    return { kind: "rows", table };
  }

  #list(kind: "jobs" | "files", name: string): Entry {
    this.#enter(kind);
    this.#pieces += 1;
    if (name !== entryNames[kind](this.#pieces)) damaged();
    return { kind };
  }

  #file(storageKey: string): Entry {
    this.#enter("files");
    if (!this.#head.hasMedia) damaged();
    this.#media.add(storageKey);
    return { kind: "media", storageKey };
  }

  #enter(section: (typeof ORDER)[number]): void {
    if (ORDER.indexOf(section) < ORDER.indexOf(this.#section)) damaged();
    if (section !== this.#section) this.#pieces = 0;
    this.#section = section;
  }
}

/** Keys of stored files, which can lie beside each other in one folder. */
export class StorageKeys {
  #keys = new Set<string>();
  #folders = new Set<string>();

  /** Throws a BackupError for a key that comes again, that is the folder of another, or whose folder is another. */
  add(key: string): void {
    if (this.#keys.has(key) || this.#folders.has(key)) damaged();
    this.#keys.add(key);
    for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
      const folder = key.slice(0, end);
      if (this.#keys.has(folder)) damaged();
      this.#folders.add(folder);
    }
  }
}
