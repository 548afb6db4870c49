import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { readArchive } from "./archive.server.ts";
import type { BackupEnd, BackupHead, OnProgress } from "./archive-format.ts";
import { BackupReader, type BackupTarget } from "./backup-reader.server.ts";
import { readHead } from "./read-head.server.ts";

/** Takes everything and keeps nothing. */
const NOWHERE: BackupTarget = {
  openTable: () => ({ add: async () => {}, end: async () => {} }),
  addJobs: async () => {},
  async putFile(_storageKey, content) {
    return hashOfContent(content);
  },
};

export interface CheckedBackup {
  head: BackupHead;
  end: BackupEnd;
}

/**
 * Reads all of a backup, without a database or media folder. Throws a BackupError when it is not whole, for all reasons
 * for which a restore refuses it but one: whether values fit their columns and each other, only a database can say.
 */
export async function checkBackup(path: string, onProgress: OnProgress): Promise<CheckedBackup> {
  const total = (await stat(path)).size;
  const entries = readArchive(path);
  const head = await readHead(entries);
  const { end } = await new BackupReader(head, NOWHERE).run(entries, (done) => onProgress({ done, total }));
  return { head, end };
}

async function hashOfContent(content: Readable) {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  return { bytes, sha256: hash.digest("hex") };
}
