import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const SAVE_AFTER_MS = 200;
/** A large state is saved less often; otherwise the process would do nothing but save. */
const REST_PER_SAVE = 10;

/** Keeps the state in a file, so that what a newcomer tried is still there tomorrow. */
export class StateFile<S extends object> {
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;
  #lastSaveMs = 0;
  readonly #path: string | undefined;
  readonly #empty: () => S;

  constructor(path: string | undefined, empty: () => S) {
    this.#path = path;
    this.#empty = empty;
  }

  read(): S {
    if (this.#path === undefined) return this.#empty();
    try {
      return { ...this.#empty(), ...JSON.parse(readFileSync(this.#path, "utf8")) };
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return this.#empty();
      throw new Error(`The stand-in cannot read ${this.#path}: delete it to start over.`, {
        cause: error,
      });
    }
  }

  saveSoon(state: S): void {
    if (this.#path === undefined || this.#timer || this.#isClosed) return;
    const wait = Math.max(SAVE_AFTER_MS, this.#lastSaveMs * REST_PER_SAVE);
    this.#timer = setTimeout(() => this.#save(state), wait);
    this.#timer.unref();
  }

  /** Later changes must not overwrite the next process's state in the same file. */
  close(state: S): void {
    this.#save(state);
    this.#isClosed = true;
  }

  /** Writes a temporary file and renames it, so that an interrupted save leaves the old file intact. */
  #save(state: S): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#path === undefined) return;
    const begin = performance.now();
    mkdirSync(dirname(this.#path), { recursive: true });
    const beside = `${this.#path}.${process.pid}.part`;
    writeFileSync(beside, JSON.stringify(state), { mode: 0o600 });
    renameSync(beside, this.#path);
    this.#lastSaveMs = performance.now() - begin;
  }
}
