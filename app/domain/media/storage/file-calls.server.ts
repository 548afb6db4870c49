// Needed because SMB, NFS and ZFS with restricted modes refuse calls that a file can do without.
import { createReadStream, createWriteStream } from "node:fs";
import { chmod, constants, copyFile, open, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";

const REFUSED = ["EPERM", "EACCES", "EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];
/** Some disks refuse to open a folder, or to sync an open one. */
const REFUSED_FOLDER = [...REFUSED, "EISDIR", "EBADF"];

export function isRefusedByDisk(error: unknown, codes = REFUSED): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? "");
}

/** False on a disk that has no modes of its own. */
export async function setMode(path: string, mode: number): Promise<boolean> {
  return unlessRefused(() => chmod(path, mode), REFUSED);
}

/** Makes new names in it survive a power failure; false on a disk that cannot. */
export async function syncFolder(path: string): Promise<boolean> {
  return unlessRefused(async () => {
    const folder = await open(path, "r");
    await folder.sync().finally(() => folder.close());
  }, REFUSED_FOLDER);
}

/** copyFile also copies the mode and lets the disk make the copy, which some disks refuse. */
export async function copyAnyway(from: string, to: string, mode: number): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (!isRefusedByDisk(error)) throw error;
    await rm(to, { force: true });
    await pipeline(createReadStream(from), createWriteStream(to, { mode }));
  }
}

async function unlessRefused(call: () => Promise<void>, codes: string[]): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (isRefusedByDisk(error, codes)) return false;
    throw error;
  }
}
