import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const MARK = "real-site";

/**
 * Throws when the data in this folder have been a real site's: where APP_URL was lost with the rest of the environment, a
 * demo would show everybody the sign-in mails of its members and of its owner.
 */
export function requireNoRealSite(dataDir: string): void {
  const mark = join(dataDir, MARK);
  if (existsSync(mark)) {
    throw new Error(
      `The data in ${dataDir} are a real site's: set APP_URL, or another DATA_DIR for a demo. If they are none, delete ${mark}.`,
    );
  }
}

/** From now on no demo starts on this folder. */
export async function markRealSite(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, MARK), "While this file is here, the site starts with an APP_URL only.\n");
}
