import { chmodSync, mkdirSync, statSync } from "node:fs";

const OWNER_ONLY = 0o700;
const STICKY = 0o1000;

/** Paid media, emails and keys stay private to the site, whatever the modes of the files. */
export function prepareDataFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: OWNER_ONLY });
  const { mode, uid } = statSync(dataDir);
  // A sticky folder is shared, like /tmp.
  const isOurs = uid === process.getuid?.() && (mode & STICKY) === 0;
  if (isOurs && (mode & 0o777) !== OWNER_ONLY) chmodSync(dataDir, OWNER_ONLY);
}
