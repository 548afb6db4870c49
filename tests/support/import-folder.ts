import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { beforeEach, expect } from "vitest";
import { config } from "#app/config.server.ts";
import { type ImportResult, importFolder } from "#app/domain/catalog/import/import-folder.server.ts";
import { IMPORT_ACTOR } from "#app/domain/catalog/import/save-imported.server.ts";
import { db } from "#db/client.server.ts";
import { builtScript } from "./process/built-script.ts";

export const H264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-preset", "ultrafast"];

/**
 * The import command on a source folder, which is empty before each test, like the media folder and the database. `lines`
 * imports the folder in this process, which saves a start of Node.
 */
export async function openImport() {
  const script = await builtScript("import-media");
  const folder = await mkdtemp(join(tmpdir(), "peony-source-"));
  const mediaDir = config.media.dir;
  const dataDir = dirname(mediaDir);

  beforeEach(async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    await rm(mediaDir, { recursive: true, force: true });
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
      env: { ...process.env, DATA_DIR: dataDir },
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

  async function filesOnDisk(): Promise<string[]> {
    const entries = await readdir(mediaDir, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  }

  /** Every row must have its file, and every file its row. Sizes that are shown later are in the rows of their steps. */
  async function expectDiskToMatch() {
    const keys = await db.execute<{ storage_key: string }>(sql`
      SELECT storage_key FROM media_files UNION SELECT storage_key FROM media_originals
      UNION SELECT file ->> 'storageKey' FROM media_work, jsonb_array_elements(made) file`);
    const entries = await Promise.all(
      ["media", "originals"].map((name) =>
        readdir(join(mediaDir, name), { recursive: true, withFileTypes: true }).catch(() => []),
      ),
    );
    const found = entries
      .flat()
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(found.sort()).toEqual(keys.map(({ storage_key }) => join(mediaDir, storage_key)).sort());
    expect(await readdir(join(mediaDir, ".incoming")).catch(() => [])).toEqual([]);
  }

  return {
    folder,
    dataDir,
    mediaDir,
    ffmpeg,
    start,
    run,
    runAs,
    lines,
    rows,
    filesOnDisk,
    expectDiskToMatch,
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
