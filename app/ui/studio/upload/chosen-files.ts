export interface Chosen {
  file: File;
  path: string;
}

/** Reading a dropped folder may fail. */
export type Given = Chosen[] | Promise<Chosen[]>;

/** A folder's names come in parts; an empty part is the end. */
export async function droppedFiles(transfer: DataTransfer): Promise<Chosen[]> {
  // The list is empty after the first wait.
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  const chosen: Chosen[] = [];
  for (const entry of entries) await collect(entry, chosen);
  return chosen;
}

async function collect(entry: FileSystemEntry, chosen: Chosen[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    chosen.push({ file, path: entry.fullPath.replace(/^\//, "") });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return;
    for (const inner of part) await collect(inner, chosen);
  }
}

export function pickedFiles(list: FileList): Chosen[] {
  return [...list].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
}

const LOOKED_AT_BYTES = 64 * 1024;

/** Recognizes a file that is chosen again, by its start, its end and its date; without hashes, as over http, by its date. */
export async function fingerprintOf(file: File): Promise<string> {
  const changed = file.lastModified.toString(36);
  if (globalThis.crypto?.subtle === undefined) return changed;
  const ends = new Blob([file.slice(0, LOOKED_AT_BYTES), file.slice(-LOOKED_AT_BYTES)]);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await ends.arrayBuffer()));
  return `${changed}-${[...hash.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
