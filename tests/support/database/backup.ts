import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { inject } from "vitest";
import { config } from "#app/config.server.ts";
import { MEDIA_FOLDERS } from "#app/domain/backup/archive-format.ts";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { mediaStorage, objectsBelow } from "#app/domain/media/storage/media-storage.server.ts";
import type { MediaStorage } from "#app/domain/media/storage/storage.ts";
import { withConnection } from "#db/connection.ts";
import { runScript, type ScriptRun } from "../process/built-script.ts";
import { storeSettings } from "../store/start-store.ts";
import { storageFrom } from "../store/storage-from.ts";
import { cloneDatabase } from "./clone-database.ts";

interface SitePlace {
  url: string;
  dataDir: string;
}

/** Runs one of the scripts for backups on this database and data folder. */
export async function runBackupScript(
  name: "backup" | "check-backup" | "restore",
  databaseUrl: string,
  dataDir: string,
  ...args: string[]
): Promise<ScriptRun> {
  const { code, stdout, stderr } = await runScript(name, args, settingsOf({ url: databaseUrl, dataDir }));
  return { code, stdout: stdout.trim(), stderr: stderr.trim() };
}

/** In the bucket of an object store, each data folder but this file's own has a folder of its name. */
export function settingsOf({ url, dataDir }: SitePlace): Record<string, string> {
  const own = { DATABASE_URL: url, DATA_DIR: dataDir };
  const { STORAGE } = storeSettings();
  if (STORAGE === undefined || dataDir === config.dataDir) return own;
  return { ...own, STORAGE: STORAGE.replace(/[^/]+$/, basename(dataDir)) };
}

/** An empty database and an unused data folder below `folder`. */
export async function emptyTarget(folder: string): Promise<SitePlace> {
  const url = await cloneDatabase(inject("serverUrl"), "template1");
  return { url, dataDir: await mkdtemp(join(folder, "data-")) };
}

export function storageOf(dataDir: string): MediaStorage {
  if (config.media.s3 === null) return localStorage(join(dataDir, "media"));
  const { STORAGE = "" } = settingsOf({ url: "", dataDir });
  return STORAGE === "" ? mediaStorage : storageFrom({ ...storeSettings(), STORAGE });
}

/** The keys of all stored files, sorted. */
export async function keysIn(dataDir: string): Promise<string[]> {
  const keys: string[] = [];
  for (const folder of MEDIA_FOLDERS)
    for await (const { storageKey } of objectsBelow(folder, storageOf(dataDir))) keys.push(storageKey);
  return keys.sort();
}

/** The SHA-256 of each stored file, by its key. */
export async function filesIn(dataDir: string): Promise<Record<string, string>> {
  const storage = storageOf(dataDir);
  const files: Record<string, string> = {};
  for (const key of await keysIn(dataDir)) {
    const bytes = (await storage.read(key)) ?? "";
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
