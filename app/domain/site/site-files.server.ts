import { randomBytes } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { PictureProgramError, runPictureProgram } from "#app/domain/media/picture-program.server.ts";
import { deleteStoredFolder, mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { readRow, readRows, text } from "#db/rows.ts";
import { siteFiles } from "#db/schema/site.ts";
import { contentTypeOf, PICTURE_FILES, type PictureFile } from "./pictures.ts";
import type { PictureKind } from "./settings.ts";
import { fileColumns, ROW_PREFIX, SiteFile, site } from "./site.server.ts";

export const SITE_FOLDER = "site";
const VERSION_BYTES = 16;
const VERSION = /^[0-9a-f]{32}$/;
const FILE_NAME = /^[\w.-]{1,40}$/;
/** A preview or an open page may name a picture for as long. */
const UNUSED_HOURS = 24;
const SVG = /^(?:[^<]*<(?:\?xml|!--|!DOCTYPE)[^>]*>)*[^<]*<(?:\w+:)?svg\b/i;

/** Throws a PictureProgramError, and cockatiel's BulkheadRejectedError when too many wait. */
export async function storePicture(kind: PictureKind, bytes: Uint8Array): Promise<string> {
  if (isSvg(bytes)) {
    throw new PictureProgramError("SVG pictures can hold scripts, so save it as PNG first");
  }
  const version = randomBytes(VERSION_BYTES).toString("hex");
  const made: { file: PictureFile; data: Buffer }[] = [];
  for (const file of PICTURE_FILES[kind]) {
    const data = await runPictureProgram("site", bytes, { options: [kind, file.name] });
    made.push({ file, data });
  }
  const rows = [];
  for (const { file, data } of made) {
    const storageKey = `${SITE_FOLDER}/${kind}/${version}/${file.name}`;
    const size = file.fit === "inside" ? sizeOfPng(data) : file;
    rows.push({
      ...{ kind, version, name: file.name, storageKey, contentType: contentTypeOf(file) },
      ...(await mediaStorage.put(storageKey, data)),
      ...{ width: size.width, height: size.height },
    });
  }
  await db.insert(siteFiles).values(rows);
  return version;
}

export async function listPicture(kind: PictureKind, version: string): Promise<SiteFile[]> {
  if (!VERSION.test(version)) return [];
  return readRows(db, SiteFile)`
    SELECT ${fileColumns} FROM site_files f WHERE f.kind = ${kind} AND f.version = ${version} ORDER BY f.name`;
}

export async function hasPicture(kind: PictureKind, version: string): Promise<boolean> {
  return (await db.$count(siteFiles, and(eq(siteFiles.kind, kind), eq(siteFiles.version, version)))) > 0;
}

/** Null for anything that no row names. The files of every page need no statement. */
export async function findSiteFile(version: string, name: string): Promise<SiteFile | null> {
  if (!VERSION.test(version) || !FILE_NAME.test(name)) return null;
  const known = site.files.find((file) => file.version === version && file.name === name);
  if (known) return known;
  return readRow(db, SiteFile)`
    SELECT ${fileColumns} FROM site_files f WHERE f.version = ${version} AND f.name = ${name}`;
}

export async function keepReplaced(tx: Transaction, kind: PictureKind, version: string): Promise<void> {
  await tx
    .update(siteFiles)
    .set({ createdAt: sql`now()` })
    .where(and(eq(siteFiles.kind, kind), eq(siteFiles.version, version)));
}

/** Deletes pictures that are neither used nor recent, rows first: a file without a row is only named by media:check. */
export async function deleteUnusedFiles(kind: PictureKind): Promise<void> {
  const deleted = await readRows(db, text)`
    DELETE FROM site_files f WHERE f.kind = ${kind} AND f.created_at < now() - make_interval(hours => ${UNUSED_HOURS})
      AND NOT EXISTS (SELECT FROM site_settings s WHERE s.name = ${ROW_PREFIX + kind} AND s.value = to_jsonb(f.version))
    RETURNING f.version`;
  for (const version of new Set(deleted)) {
    await deleteStoredFolder(`${SITE_FOLDER}/${kind}/${version}`);
  }
}

export function listSiteFiles(): Promise<SiteFile[]> {
  return readRows(db, SiteFile)`SELECT ${fileColumns} FROM site_files f ORDER BY f.version, f.name`;
}

function isSvg(bytes: Uint8Array): boolean {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return !isPacked && SVG.test(Buffer.from(bytes.subarray(0, 4_096)).toString("utf8"));
}

function sizeOfPng(data: Buffer): { width: number; height: number } {
  return { width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
}
