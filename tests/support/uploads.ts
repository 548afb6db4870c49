import { declareBatch } from "#app/domain/uploads/batches.server.ts";
import { takeLock } from "#app/domain/uploads/upload-locks.server.ts";
import { writePiece } from "#app/domain/uploads/write-piece.server.ts";

const ROOM = async () => ({ freeBytes: 1e12, quotaBytes: 1e12 });

/** By path, each in one piece. */
export async function uploadFiles(userId: string, files: Record<string, Uint8Array>): Promise<void> {
  const chosen = Object.entries(files).map(([path, { length }]) => ({
    path,
    bytes: length,
    fingerprint: "f",
  }));
  const declared = await declareBatch(userId, chosen, ROOM);
  if ("problem" in declared) throw new Error(declared.problem);
  for (const { id: uploadId, path } of declared.uploads) {
    const signal = new AbortController().signal;
    const lock = await takeLock({ userId, uploadId }, { signal, onWanted: () => {} });
    if (typeof lock === "string") throw new Error(lock);
    const bytes = (async function* () {
      yield files[path] ?? new Uint8Array();
    })();
    await writePiece({ userId, uploadId, token: lock.token, offset: 0 }, bytes, ROOM);
    await lock.release();
  }
}
