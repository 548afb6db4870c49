import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { withConnection } from "#db/connection.ts";
import { runScript, type ScriptRun } from "../process/built-script.ts";
import { cloneDatabase } from "./clone-database.ts";

/** Runs one of the scripts for backups on this database and data folder. */
export async function runBackupScript(
  name: "backup" | "check-backup" | "restore",
  databaseUrl: string,
  dataDir: string,
  ...args: string[]
): Promise<ScriptRun> {
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  const { code, stdout, stderr } = await runScript(name, args, env);
  return { code, stdout: stdout.trim(), stderr: stderr.trim() };
}

/** An empty database and an unused data folder below `folder`. */
export async function emptyTarget(folder: string): Promise<{ url: string; dataDir: string }> {
  const url = await cloneDatabase(inject("serverUrl"), "template1");
  return { url, dataDir: await mkdtemp(join(folder, "data-")) };
}

/** The paths of all files below the media folder, sorted. */
export async function keysIn(dataDir: string): Promise<string[]> {
  const root = join(dataDir, "media");
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths.map((path) => path.slice(root.length + 1)).sort();
}

/** The SHA-256 of each file below the media folder, by its path. */
export async function filesIn(dataDir: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const key of await keysIn(dataDir)) {
    const bytes = await readFile(join(dataDir, "media", key));
    files[key] = createHash("sha256").update(bytes).digest("hex");
  }
  return files;
}

/** The number of rows of each table and a digest of them, the queue's apart. */
export function digestOf(url: string): Promise<Record<string, string>> {
  return withConnection(url, async (sql) => {
    const tables = await sql<{ name: string }[]>`
      SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`;
    const digests: Record<string, string> = {};
    for (const { name } of tables) {
      const [row] =
        await sql`SELECT count(*) || ' ' || COALESCE(sum(hashtextextended(t::text, 0)), 0) AS digest FROM ${sql(name)} t`;
      digests[name] = row?.digest;
    }
    return digests;
  });
}

/** Deletes a site's database and data folder, as the loss of its machine does. */
export async function destroySite(url: string, dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true });
  const name = new URL(url).pathname.slice(1);
  await withConnection(inject("serverUrl"), (admin) => admin.unsafe(`DROP DATABASE ${name} WITH (FORCE)`));
}
