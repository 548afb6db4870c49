import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { beforeEach, expect } from "vitest";
import { config } from "#app/config.server.ts";
import { MEDIA_FOLDERS } from "#app/domain/backup/archive-format.ts";
import { type ImportResult, importFolder } from "#app/domain/catalog/import/import-folder.server.ts";
import { IMPORT_ACTOR } from "#app/domain/catalog/import/save-imported.server.ts";
import { mediaStorage, objectsBelow } from "#app/domain/media/storage/media-storage.server.ts";
import { db } from "#db/client.server.ts";
import { builtScript } from "./process/built-script.ts";

export const H264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-preset", "ultrafast"];

/**
 * The import command on a source folder, which is empty before each test, like the storage and the database. `lines`
 * imports the folder in this process, which saves a start of Node.
 */
export async function openImport() {
  const script = await builtScript("import-media");
  const folder = await mkdtemp(join(tmpdir(), "peony-source-"));
  const { workDir } = config.media;

  beforeEach(async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    for (const each of MEDIA_FOLDERS) await mediaStorage.deleteFolder(each);
    await rm(workDir, { recursive: true, force: true });
    await db.execute(sql`TRUNCATE media, creators, tags CASCADE`);
  });

  function ffmpeg(
    name: string,
    options: string[],
    { size = "320x240", seconds = 1, audio = true } = {},
  ): string {
    const path = join(folder, name);
    const inputs = ["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=10:duration=${seconds}`];
    if (audio) inputs.push("-f", "lavfi", "-i", `sine=frequency=300:duration=${seconds}`);
    execFileSync("ffmpeg", ["-v", "error", "-y", ...inputs, ...options, path]);
    return path;
  }

  /** With --publish, as most tests look at what visitors see. `runAs` has its own options alone. */
  function start(args: string[] = []) {
    return startWith(["--publish", ...args]);
  }

  function startWith(args: string[]) {
    const child = spawn(process.execPath, [script, folder, ...args], {
      env: { ...process.env, DATA_DIR: config.dataDir },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    return { child, ended: once(child, "close").then(([code]) => ({ code: code as number | null, output })) };
  }

  const run = (...args: string[]) => start(args).ended;
  const runAs = (...args: string[]) => startWith(args).ended;

  const lines = (options?: LinesOptions) => importLines(folder, options);

  async function rows() {
    return db.execute<{
      title: string;
      type: string;
      width: number;
      height: number;
      has_audio: boolean | null;
    }>(sql`
      SELECT title, type, width, height, photo_count, access, duration_seconds, has_audio
      FROM media LEFT JOIN videos ON media_id = id ORDER BY title`);
  }

  async function keysIn(folders: readonly string[]): Promise<string[]> {
    const keys: string[] = [];
    for (const each of folders) for await (const { storageKey } of objectsBelow(each)) keys.push(storageKey);
    return keys.sort();
  }

  const unfinished = () => readdir(join(workDir, ".incoming"), { recursive: true }).catch(() => []);

  /** Stored ones, and those that somebody is writing. */
  async function allFiles(): Promise<string[]> {
    return [...(await keysIn(MEDIA_FOLDERS)), ...(await unfinished())];
  }

  /** Every row must have its file, and every file its row. Sizes that are shown later are in the rows of their steps. */
  async function expectStorageToMatch() {
    const keys = await db.execute<{ storage_key: string }>(sql`
      SELECT storage_key FROM media_files UNION SELECT storage_key FROM media_originals
      UNION SELECT file ->> 'storageKey' FROM media_work, jsonb_array_elements(made) file`);
    expect(await keysIn(["media", "originals"])).toEqual(keys.map(({ storage_key }) => storage_key).sort());
    expect(await unfinished()).toEqual([]);
  }

  return {
    folder,
    workDir,
    ffmpeg,
    start,
    run,
    runAs,
    lines,
    rows,
    allFiles,
    expectStorageToMatch,
  };
}

interface LinesOptions {
  signal?: AbortSignal;
  isDryRun?: boolean;
  isPublishing?: boolean;
  isForced?: boolean;
  creator?: string;
  /** Runs after each result. */
  meanwhile?: () => void;
}

/** Imports a folder in this process, publishes it, and returns a line for each result. */
export async function importLines(folder: string, { meanwhile, ...options }: LinesOptions = {}) {
  const lines: string[] = [];
  await importInProcess(folder, options, (result) => {
    const { outcome, label } = result;
    const fields = "fields" in result ? `: ${result.fields.join(", ")}` : "";
    lines.push("reason" in result ? `${outcome} ${label}: ${result.reason}` : `${outcome} ${label}${fields}`);
    meanwhile?.();
  });
  return lines;
}

async function importInProcess(
  folder: string,
  {
    isDryRun = false,
    isPublishing = true,
    isForced = false,
    creator,
    signal,
  }: Omit<LinesOptions, "meanwhile">,
  onResult: (result: ImportResult) => void,
) {
  await importFolder(folder, {
    actor: IMPORT_ACTOR,
    ...{ isDryRun, isPublishing, isForced, onResult },
    access: "free",
    creator: creator ?? null,
    signal: signal ?? new AbortController().signal,
    onProgress: () => {},
  });
}

export async function picture(path: string, hue: string) {
  await sharp({ create: { width: 160, height: 200, channels: 3, background: hue } })
    .jpeg()
    .toFile(path);
}
