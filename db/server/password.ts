import { createHmac, randomBytes } from "node:crypto";
import { link, mkdtemp, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

const FILE = "postgres.json";

/** The superuser's password, stored beside the data. Concurrent starts get the same one. */
export async function preparePassword(folder: string, hasData: boolean): Promise<string> {
  const file = join(folder, FILE);
  const known = await readPassword(folder);
  if (known !== null) return known;
  if (hasData) {
    throw new Error(
      `The built-in database cannot start: ${file}, which holds its password, is missing or damaged: restore it from a backup.`,
    );
  }
  const made = await mkdtemp(join(folder, "password-"));
  try {
    await writeDurably(join(made, FILE), JSON.stringify({ password: randomBytes(24).toString("hex") }));
    await link(join(made, FILE), file).catch((error) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(made, { recursive: true });
  }
  return preparePassword(folder, true);
}

export async function readPassword(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, FILE), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "null";
    throw error;
  });
  try {
    return JSON.parse(text)?.password ?? null;
  } catch {
    return null;
  }
}

/** The superuser's password cannot be derived from it. */
export function rolePassword(password: string): string {
  return createHmac("sha256", password).update("role of the site").digest("hex");
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
