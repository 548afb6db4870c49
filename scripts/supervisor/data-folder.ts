import { chmodSync, mkdirSync, statSync } from "node:fs";
import { isRefusedByDisk } from "#app/domain/media/storage/file-calls.server.ts";

const OWNER_ONLY = 0o700;
const OTHERS = 0o077;
const STICKY = 0o1000;

/** Paid media, emails and keys stay private to the site, whatever the modes of the files. */
export function prepareDataFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: OWNER_ONLY });
  const mode = modeOfOurs(dataDir);
  if (mode === null || mode === OWNER_ONLY) return;
  try {
    chmodSync(dataDir, OWNER_ONLY);
  } catch (error) {
    if (!isRefusedByDisk(error)) throw error;
  }
}

/** Some disks refuse a mode, others ignore it. */
export function openFolderWarning(dataDir: string): string | null {
  if (((modeOfOurs(dataDir) ?? 0) & OTHERS) === 0) return null;
  return `Other users of this machine may read the emails and media in ${dataDir}, because its disk refuses to close it (chmod 700): mount the disk so that only the site's user can read it.`;
}

/** Null for another user's folder, and a shared one like /tmp, which is sticky. */
function modeOfOurs(dataDir: string): number | null {
  const { mode, uid } = statSync(dataDir);
  return uid === process.getuid?.() && (mode & STICKY) === 0 ? mode & 0o777 : null;
}
