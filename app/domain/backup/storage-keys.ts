import { damaged } from "./archive.server.ts";

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
