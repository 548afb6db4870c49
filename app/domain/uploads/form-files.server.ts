import { randomUUID } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { MAX_VIDEO_BYTES } from "#app/domain/media/intake/prepare-video.server.ts";
import { db } from "#db/client.server.ts";
import { uploadBatches, uploads } from "#db/schema/uploads.ts";
import { wakeIntake } from "./batches.server.ts";
import { nextPieceProblem, readSpace, type Space } from "./space.server.ts";
import {
  deleteBatchFiles,
  deletePart,
  makePartsFolder,
  partPath,
  syncPartsFolder,
} from "./staged-files.server.ts";
import { type FormTrouble, normalizedPath, PIECE_BYTES, pathProblem } from "./upload-limits.ts";

interface FormFile {
  id: string;
  path: string;
  bytes: number;
}

/** Takes in the files of one form as they come. Files that have come whole stay, whatever ends the form. */
export class FormFiles {
  readonly #userId: string;
  readonly #space: () => Promise<Space>;
  readonly #batchId = randomUUID();
  readonly #files: FormFile[] = [];

  constructor(userId: string, space: () => Promise<Space> = readSpace) {
    this.#userId = userId;
    this.#space = space;
  }

  /** Returns the reason why this file was not taken. */
  async add(name: string, bytes: AsyncIterable<Uint8Array>): Promise<FormTrouble | null> {
    const path = normalizedPath(name);
    if (pathProblem(path) !== null) return "name";
    if (this.#files.some((file) => file.path === path)) return "twice";
    await makePartsFolder(this.#batchId);
    const id = randomUUID();
    try {
      const written = await this.#write(id, bytes);
      if (typeof written === "string") {
        await deletePart(this.#batchId, id);
        return written;
      }
      if (written === 0) await deletePart(this.#batchId, id);
      else this.#files.push({ id, path, bytes: written });
      return written === 0 ? "empty" : null;
    } catch (error) {
      await deletePart(this.#batchId, id);
      throw error;
    }
  }

  /** Writes down what has come whole, and returns how many files that are. */
  async end(): Promise<number> {
    if (this.#files.length === 0) {
      await deleteBatchFiles(this.#batchId);
      return 0;
    }
    await syncPartsFolder(this.#batchId);
    const rows = this.#files.map(({ id, path, bytes }, position) => ({
      ...{ id, path, bytes, position, batchId: this.#batchId },
      ...{ receivedBytes: bytes, fingerprint: "", state: "complete" as const },
    }));
    await db.transaction(async (tx) => {
      await tx.insert(uploadBatches).values({ id: this.#batchId, userId: this.#userId });
      await tx.insert(uploads).values(rows);
      await wakeIntake(tx, this.#batchId);
    });
    return this.#files.length;
  }

  async #write(id: string, bytes: AsyncIterable<Uint8Array>): Promise<number | FormTrouble> {
    const handle = await open(partPath(this.#batchId, id), "wx", 0o640);
    try {
      return await this.#fill(handle, bytes);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOSPC" || code === "EDQUOT") return "space";
      throw error;
    } finally {
      await handle.close();
    }
  }

  async #fill(handle: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<number | FormTrouble> {
    const earlier = this.#files.reduce((sum, file) => sum + file.bytes, 0);
    let written = 0;
    let checked = 0;
    for await (const chunk of bytes) {
      if (written + chunk.length > checked) {
        checked = written + PIECE_BYTES;
        const problem = await nextPieceProblem(this.#userId, earlier + checked, await this.#space());
        if (problem !== null) return "space";
      }
      if (written + chunk.length > MAX_VIDEO_BYTES) return "large";
      await handle.writeFile(chunk);
      written += chunk.length;
    }
    await handle.sync();
    return written;
  }
}
