import { type FileHandle, open } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { isHeic, kindOfFile } from "#app/domain/media/import/file-kinds.server.ts";
import { NO_MEDIA, RAW } from "#app/domain/media/import/refusal.ts";
import { HEIC } from "#app/domain/media/picture.server.ts";
import { isNoSpace } from "#app/domain/media/storage/disk-full.ts";
import { FILE_MODE } from "#app/domain/media/storage/local.server.ts";
import { FILE_LIMITS, largerThan, PIECE_BYTES } from "#app/file-limits.ts";
import { db } from "#db/client.server.ts";
import { number, readRow, readRows, text } from "#db/rows.ts";
import { isLoneRaw, queueImport } from "./batches.server.ts";
import { DISK_FULL_SENTENCE, nextPieceProblem, readSpace, type Space } from "./space.server.ts";
import {
  deletePart,
  makePartsFolder,
  partPath,
  storedBytes,
  syncPartsFolder,
} from "./staged-files.server.ts";
import { IS_NOT_IMPORTED } from "./upload-conditions.server.ts";
import { isOf } from "./upload-locks.server.ts";

const KIND_BYTES = 64 * 1024;
const CONTINUED = "This upload was continued elsewhere.";

const UploadRow = z.object({ id: text, batchId: text, state: text, bytes: number, receivedBytes: number });
type ReceivedUpload = Omit<z.infer<typeof UploadRow>, "state">;

/** The browser gets the status and the sentence. Stored bytes stay. */
export class UploadRefusal extends Error {
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

/** Null for somebody else's upload, or one that has ended. Needs the lock. */
export async function findUpload(userId: string, uploadId: string): Promise<ReceivedUpload | null> {
  const row = await readRow(db, UploadRow)`
    SELECT id, batch_id AS "batchId", state, bytes::float8 AS bytes, received_bytes::float8 AS "receivedBytes"
    FROM uploads WHERE id = ${uploadId} AND ${isOf(userId)} AND ${IS_NOT_IMPORTED}`;
  if (row === null) return null;
  const { state, ...upload } = row;
  if (state === "complete") return { ...upload, receivedBytes: upload.bytes };
  // After a restore the file is missing: a piece written after a gap would make it look whole.
  const receivedBytes = Math.min(row.receivedBytes, await storedBytes(row.batchId, row.id));
  return { ...upload, receivedBytes };
}

interface Piece {
  userId: string;
  uploadId: string;
  token: string;
  offset: number;
}

/** Returns the new offset. Bytes that arrive before a connection is lost count, too. Throws an UploadRefusal. */
export async function writePiece(
  { userId, uploadId, token, offset }: Piece,
  bytes: AsyncIterable<Uint8Array>,
  space: () => Promise<Space> = readSpace,
): Promise<number> {
  const upload = await findUpload(userId, uploadId);
  if (upload === null) throw new UploadRefusal(404, "This upload no longer exists.");
  const { batchId } = upload;
  if (upload.receivedBytes !== offset) throw new UploadRefusal(409, CONTINUED);
  const most = Math.min(PIECE_BYTES, upload.bytes - offset);
  const problem = await nextPieceProblem(userId, most, await space());
  if (problem !== null) throw new UploadRefusal(507, problem);

  const { written, failure } = await storePiece({ batchId, uploadId, offset, most }, bytes).catch((error) => {
    throw problemOf(error);
  });
  const end = offset + written;
  // Before it counts, because the last file starts the import of its batch.
  const showsKind = end >= KIND_BYTES || end === upload.bytes;
  if (offset < KIND_BYTES && showsKind) await refuseByKind({ batchId, uploadId, token });
  if (!(await countPiece({ uploadId, batchId, token, bytes: upload.bytes, end }))) {
    throw new UploadRefusal(409, CONTINUED);
  }
  if (failure !== null) throw problemOf(failure);
  return end;
}

/** `written`: bytes that are certainly on the disk, even after a failure. */
async function storePiece(
  { batchId, uploadId, offset, most }: { batchId: string; uploadId: string; offset: number; most: number },
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ written: number; failure: unknown }> {
  await makePartsFolder(batchId);
  // "a+" would ignore the offset and write at the end.
  const path = partPath(batchId, uploadId);
  const handle = await open(path, "r+").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" || offset > 0) throw error;
    return open(path, "w+", FILE_MODE);
  });
  const written = { bytes: 0 };
  let failure: unknown = null;
  try {
    await writeAll(handle, bytes, { offset, most, written });
  } catch (error) {
    failure = error;
    if (error instanceof UploadRefusal) written.bytes = 0;
  }
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (offset === 0) await syncPartsFolder(batchId);
  return { written: written.bytes, failure };
}

async function writeAll(
  handle: FileHandle,
  bytes: AsyncIterable<Uint8Array>,
  { offset, most, written }: { offset: number; most: number; written: { bytes: number } },
): Promise<void> {
  for await (const chunk of bytes) {
    if (written.bytes + chunk.length > most) {
      throw new UploadRefusal(413, "This piece is too large.");
    }
    for (let at = 0; at < chunk.length; ) {
      const { bytesWritten } = await handle.write(chunk, at, chunk.length - at, offset + written.bytes);
      at += bytesWritten;
      written.bytes += bytesWritten;
    }
  }
}

async function countPiece(piece: {
  uploadId: string;
  batchId: string;
  token: string;
  bytes: number;
  end: number;
}): Promise<boolean> {
  const { uploadId, batchId, token, bytes, end } = piece;
  return db.transaction(async (tx) => {
    // Before the file's row, so that the second of two last files sees the first as complete.
    await tx.execute(sql`UPDATE upload_batches SET updated_at = now() WHERE id = ${batchId}`);
    const counted = await tx.execute(sql`
      UPDATE uploads SET received_bytes = ${end},
        state = CASE WHEN ${end === bytes}::boolean THEN 'complete'::upload_state ELSE state END
      WHERE id = ${uploadId} AND lock_token = ${token}::uuid AND state = 'uploading' RETURNING id`);
    if (counted.length === 0) return false;
    if (end === bytes) await queueImport(tx, batchId);
    return true;
  });
}

async function refuseByKind({ batchId, uploadId, token }: Record<"batchId" | "uploadId" | "token", string>) {
  const note = await whyUnusable(batchId, uploadId);
  if (note === null) return;
  const isRefused = await db.transaction(async (tx) => {
    await tx.execute(sql`UPDATE upload_batches SET updated_at = now() WHERE id = ${batchId}`);
    const refused = await tx.execute(sql`
      UPDATE uploads SET state = 'refused', received_bytes = 0, note = ${note}
      WHERE id = ${uploadId} AND lock_token = ${token}::uuid AND state = 'uploading' RETURNING id`);
    if (refused.length > 0) await queueImport(tx, batchId);
    return refused.length > 0;
  });
  if (!isRefused) throw new UploadRefusal(409, CONTINUED);
  await deletePart(batchId, uploadId);
  throw new UploadRefusal(415, `This file was refused: ${note}.`);
}

const KindRow = z.object({ path: text, bytes: number });

async function whyUnusable(batchId: string, uploadId: string): Promise<string | null> {
  const row = await readRow(db, KindRow)`
    SELECT path, bytes::float8 AS bytes FROM uploads WHERE id = ${uploadId}`;
  if (row === null) return null;
  const part = partPath(batchId, uploadId);
  const kind = await kindOfFile(part, row.path);
  if (kind === "other") return NO_MEDIA;
  if (kind === "picture" && row.bytes > FILE_LIMITS.photo) return largerThan(FILE_LIMITS.photo);
  if (kind === "picture" && (await isHeic(part))) return HEIC;
  if (kind !== "raw") return null;
  const all = await readRows(db, text)`SELECT path FROM uploads WHERE batch_id = ${batchId}`;
  return isLoneRaw(row.path, all) ? RAW : null;
}

function problemOf(error: unknown): unknown {
  return isNoSpace(error) ? new UploadRefusal(507, DISK_FULL_SENTENCE) : error;
}
