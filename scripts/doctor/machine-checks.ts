import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { config } from "#app/config.server.ts";
import { count } from "#app/counts.ts";
import { writeArchive } from "#app/domain/backup/archive.server.ts";
import { findNewestBackup, isLateBackup } from "#app/domain/backup/backup-files.server.ts";
import { readDiskSpace } from "#app/domain/health/disk.server.ts";
import { isNoSpace } from "#app/domain/media/storage/disk-full.ts";
import { setMode, syncFolder } from "#app/domain/media/storage/file-calls.server.ts";
import { FILE_MODE } from "#app/domain/media/storage/local.server.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { listMissingNeeds } from "#app/domain/media/video/encoding-needs.server.ts";
import { sizeText } from "#app/sizes.ts";
import { type Check, fix, ok, reasonOf } from "./check.ts";

export function machineChecks(): Check[] {
  const { dir } = config.backup;
  return [
    {
      name: "disk",
      run: () => checkDisk(config.dataDir, "move DATA_DIR to a larger disk"),
      onFailure: `The data folder cannot be read: make ${config.dataDir} readable for this user`,
    },
    ...mediaChecks(),
    {
      name: "ffmpeg",
      run: checkFfmpeg,
      onFailure: "ffmpeg or ffprobe does not run: install ffmpeg, or set FFMPEG_PATH and FFPROBE_PATH",
    },
    {
      name: "backup",
      run: () => checkBackup(dir),
      onFailure: `This user cannot write to BACKUP_DIR: make it the owner of ${dir}`,
    },
    ...(dir === null
      ? []
      : [
          {
            name: "backup disk",
            run: () => checkDisk(dir, "lower BACKUP_KEEP"),
            onFailure: `BACKUP_DIR cannot be read: check that ${dir} exists`,
          },
        ]),
  ];
}

function mediaChecks(): Check[] {
  const { s3 } = config.media;
  if (s3 === null)
    return [
      {
        name: "media folder",
        run: checkMediaFolder,
        onFailure: `Nothing can be imported: the disk of ${config.media.dir} does not answer`,
      },
    ];
  const check = async (problem: "storeProblem" | "versionsProblem", detail: string) => {
    const store = await import("#app/domain/media/storage/s3-check.server.ts");
    const found = await store[problem](s3);
    return found === null ? ok(detail) : fix(found);
  };
  return [
    {
      name: "object store",
      run: () => check("storeProblem", `${s3.bucket} is writable, and closed to strangers`),
      onFailure: "No media can be stored or sent: the object store does not answer",
    },
    {
      name: "old versions",
      run: () => check("versionsProblem", "are kept for a while, and then deleted"),
      onFailure: `The store does not say whether it keeps earlier versions: let the key read the versioning and the lifecycle of ${s3.bucket}`,
      needs: "object store",
    },
  ];
}

async function checkDisk(folder: string, otherwise: string) {
  const { freeBytes, totalBytes, isLow } = await readDiskSpace(folder);
  const text = `${sizeText(freeBytes)} of ${sizeText(totalBytes)} is free`;
  return isLow ? fix(`Only ${text}: free up space, or ${otherwise}`) : ok(text);
}

/** Stores and copies a file as an import does, because only that shows every reason for a refusal. */
async function checkMediaFolder() {
  // The site creates it: this user may be another one.
  if (!existsSync(config.media.dir)) return ok("the first import creates it");
  const folder = `doctor-${randomUUID()}`;
  try {
    await mediaStorage.put(`${folder}/file`, Buffer.from("1"));
    const path = join(config.media.dir, folder, "file");
    await mediaStorage.put(`${folder}/copy`, { path });
    const missing = [
      ...((await setMode(path, FILE_MODE)) ? [] : ["modes of its own"]),
      ...((await syncFolder(dirname(path))) ? [] : ["fsync for folders"]),
    ];
    return ok(
      missing.length === 0 ? "is writable" : `is writable; its disk has no ${missing.join(" and no ")}`,
    );
  } catch (error) {
    return fix(`Nothing can be imported: ${cureOf(error, config.media.dir)}`);
  } finally {
    await mediaStorage.deleteFolder(folder).catch(() => {});
  }
}

/** Names the failed call, which a host looks up. */
function cureOf(error: unknown, dir: string): string {
  const { syscall } = error as NodeJS.ErrnoException;
  const call = syscall === undefined ? reasonOf(error) : `${syscall}: ${reasonOf(error)}`;
  return `${cure(error, dir)} (${call})`;
}

function cure(error: unknown, dir: string): string {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (["EACCES", "EPERM"].includes(code))
    return `make the site's user the owner of ${dir} and everything in it`;
  if (code === "EROFS") return `${dir} is read-only; mount it for writing`;
  if (isNoSpace(error)) return `the disk of ${dir} is full; free up space`;
  if (["ENOTDIR", "EEXIST"].includes(code)) return `${dir} is not a folder; move away what is there`;
  return `the disk of ${dir} refuses it; check it, or use another disk`;
}

async function checkFfmpeg() {
  const { ffmpeg, ffprobe } = config.media;
  await run(ffprobe, ["-version"]);
  const missing = await listMissingNeeds();
  if (missing.length > 0)
    return fix(
      `ffmpeg lacks ${missing.join(", ")}: install a build that includes ${missing.length === 1 ? "it" : "them"}`,
    );
  return ok(/version (\S+)/.exec(await run(ffmpeg, ["-version"]))?.[1] ?? "");
}

async function checkBackup(dir: string | null) {
  if (dir === null) {
    if (config.isDemo) return ok("none, which is fine for a demo");
    if (config.backup.isOff) return ok("none by the site, because BACKUP_DIR is off");
    return fix(
      "The site makes no nightly backup: set BACKUP_DIR to a folder, preferably on another disk, or set BACKUP_DIR=off if you back up by other means",
    );
  }
  const found = await stat(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (found?.isDirectory() === false) return fix(`${dir} is not a folder: correct BACKUP_DIR`);
  if (found === null) {
    return fix(
      `There is no folder ${dir}: create it for the site's user (install -d -m 700), or correct BACKUP_DIR`,
    );
  }
  const problem = await writingProblem(dir);
  if (problem !== null) return fix(problem);
  const newest = await findNewestBackup(dir);
  if (newest === null)
    return fix(
      `There is no nightly backup in ${dir} yet: the site makes one at 2:30 UTC; until then, run npm run backup -- <file>`,
    );
  const hours = newest.ageSeconds / 3_600;
  if (!isLateBackup(newest)) return ok(`${newest.name}, ${count(Math.round(hours), "hour")} old`);
  return fix(
    `The newest backup is ${(hours / 24).toFixed(0)} days old: look for "back-up" in the log, and check whether ${dir} is full`,
  );
}

/** Writes as the backup does, without the name of one. */
async function writingProblem(dir: string): Promise<string | null> {
  const path = join(dir, `.doctor-${randomUUID()}`);
  try {
    await writeArchive(path, async () => {});
    return null;
  } catch (error) {
    return `No backup can be written to BACKUP_DIR: ${cureOf(error, dir)}`;
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}

async function run(program: string, args: string[]): Promise<string> {
  return (await promisify(execFile)(program, args, { timeout: 10_000, maxBuffer: 10_000_000 })).stdout;
}
