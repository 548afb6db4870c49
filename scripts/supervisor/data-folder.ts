import { chmodSync, mkdirSync, statSync } from "node:fs";

const OWNER_ONLY = 0o700;
const STICKY = 0o1000;

/**
 * Creates the data folder, or closes one that others may enter. Paid media, mails and keys are then private to the
 * site, regardless of the modes below it.
 */
export function prepareDataFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: OWNER_ONLY });
  const { mode, uid } = statSync(dataDir);
  // A sticky folder is shared with others, like /tmp.
  const isOurs = uid === process.getuid?.() && (mode & STICKY) === 0;
  if (isOurs && (mode & 0o777) !== OWNER_ONLY) chmodSync(dataDir, OWNER_ONLY);
}
