import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

const inOrder = new Intl.Collator("en", { numeric: true });

export interface FolderEntry {
  name: string;
  /** Null when the name is not UTF-8. */
  path: string | null;
  kind: "folder" | "file" | "folderLink" | "link" | "other";
}

export async function readEntries(folder: string): Promise<FolderEntry[]> {
  const dirents = await readdir(folder, { withFileTypes: true, encoding: "buffer" });
  const entries = await Promise.all(
    dirents.map(async (dirent) => {
      const name = decodeName(dirent.name);
      const path = name === null ? null : join(folder, name);
      return { name: name ?? printable(dirent.name), path, kind: await kindOf(dirent, path) };
    }),
  );
  return entries.sort((a, b) => inOrder.compare(a.name, b.name));
}

async function kindOf(dirent: Dirent<Buffer>, path: string | null): Promise<FolderEntry["kind"]> {
  if (dirent.isDirectory()) return "folder";
  if (dirent.isFile()) return "file";
  if (!dirent.isSymbolicLink()) return "other";
  const target = path === null ? null : await stat(path).catch(() => null);
  return target?.isDirectory() ? "folderLink" : "link";
}

function decodeName(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function printable(bytes: Buffer): string {
  return bytes.toString("latin1").replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
}
