import { randomUUID } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { isNoSpace } from "#app/domain/media/storage/disk-full.ts";
import { FILE_MODE } from "#app/domain/media/storage/local.server.ts";
import { FILE_LIMITS, PIECE_BYTES } from "#app/file-limits.ts";
import { db } from "#db/client.server.ts";
import { uploadBatches, uploads } from "#db/schema/uploads.ts";
import { queueImport, tooManyProblem } from "./batches.server.ts";
import { newFilesProblem, readSpace, type Space } from "./space.server.ts";
import {
  deleteBatchFiles,
  deletePart,
  makePartsFolder,
  partPath,
  syncPartsFolder,
} from "./staged-files.server.ts";
import { type FormTrouble, normalizedPath, pathProblem } from "./upload-limits.ts";

interface KeptFile {
  id: string;
  path: string;
  bytes: number;
}

interface ComingFile {
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<FormTrouble | null>;
}

/** Writes the files of one form, one after the other. Complete files stay, whatever ends the form. */
export class FormFiles {
  readonly #userId: string;
  readonly #space: () => Promise<Space>;
  readonly #batchId = randomUUID();
  readonly #files: KeptFile[] = [];
  #coming: { id: string; handle: FileHandle } | null = null;

  constructor(userId: string, space: () => Promise<Space> = readSpace) {
    this.#userId = userId;
    this.#space = space;
  }

  begin(name: string): ComingFile {
    const [id, path] = [randomUUID(), normalizedPath(name)];
    let trouble = this.#nameTrouble(path);
    let [written, checked] = [0, 0];
    const earlier = this.#files.reduce((sum, file) => sum + file.bytes, 0);
    const keep = async (act: () => Promise<FormTrouble | null>) => {
      if (trouble !== null) return;
      try {
        trouble = await act();
      } catch (error) {
        if (!isNoSpace(error)) throw error;
        trouble = "space";
      }
    };
    return {
      write: (chunk) =>
        keep(async () => {
          if (written + chunk.length > checked) {
            checked = written + PIECE_BYTES;
            const files = { bytes: earlier + checked, storedBytes: earlier + written };
            const problem = await newFilesProblem(this.#userId, files, await this.#space());
            if (problem !== null) return "space";
          }
          if (written + chunk.length > FILE_LIMITS.video) return "large";
          await (await this.#open(id)).writeFile(chunk);
          written += chunk.length;
          return null;
        }),
      end: async () => {
        await keep(async () => {
          await this.#coming?.handle.sync();
          return written === 0 ? "empty" : null;
        });
        if (trouble === null) {
          await this.#close();
          this.#files.push({ id, path, bytes: written });
        } else await this.#dropComing();
        return trouble;
      },
    };
  }

  async end(): Promise<{ files: number; trouble: FormTrouble | null }> {
    await this.#dropComing();
    const files = this.#files.length;
    if (files === 0) {
      await deleteBatchFiles(this.#batchId);
      return { files: 0, trouble: null };
    }
    await syncPartsFolder(this.#batchId);
    const rows = this.#files.map(({ id, path, bytes }, position) => ({
      ...{ id, path, bytes, position, batchId: this.#batchId },
      ...{ receivedBytes: bytes, fingerprint: "", state: "complete" as const },
    }));
    const isRefused = await db.transaction(async (tx) => {
      if ((await tooManyProblem(this.#userId, files, tx)) !== null) return true;
      await tx.insert(uploadBatches).values({ id: this.#batchId, userId: this.#userId });
      await tx.insert(uploads).values(rows);
      await queueImport(tx, this.#batchId);
      return false;
    });
    if (!isRefused) return { files, trouble: null };
    await deleteBatchFiles(this.#batchId);
    return { files: 0, trouble: "open" };
  }

  #nameTrouble(path: string): FormTrouble | null {
    if (pathProblem(path) !== null) return "name";
    return this.#files.some((file) => file.path === path) ? "twice" : null;
  }

  async #open(id: string): Promise<FileHandle> {
    if (this.#coming === null) {
      await makePartsFolder(this.#batchId);
      this.#coming = { id, handle: await open(partPath(this.#batchId, id), "wx", FILE_MODE) };
    }
    return this.#coming.handle;
  }

  async #close(): Promise<void> {
    const coming = this.#coming;
    this.#coming = null;
    await coming?.handle.close();
  }

  async #dropComing(): Promise<void> {
    const id = this.#coming?.id;
    await this.#close();
    if (id !== undefined) await deletePart(this.#batchId, id);
  }
}
