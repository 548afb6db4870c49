import { open } from "node:fs/promises";
import { extname } from "node:path";
import { fileTypeFromFile } from "file-type";

/** Counts only for a file whose content is not recognized, as PICTURE does. */
const VIDEO = [
  ...[
    ".mp4",
    ".m4v",
    ".mov",
    ".qt",
    ".mkv",
    ".mk3d",
    ".webm",
    ".avi",
    ".divx",
    ".wmv",
    ".asf",
    ".flv",
    ".f4v",
  ],
  ...[".mpg", ".mpeg", ".mpe", ".m2p", ".vob", ".mod", ".tod", ".ts", ".tp", ".trp", ".mts", ".m2t", ".m2ts"],
  ...[".3gp", ".3g2", ".ogv", ".ogm"],
];
const PICTURE = [
  ...[".jpg", ".jpeg", ".jpe", ".jfif", ".jif", ".jfi", ".pjpeg", ".pjp", ".mpo", ".png", ".apng", ".webp"],
  ...[".gif", ".tif", ".tiff", ".avif", ".heic", ".heif", ".hif", ".svg", ".bmp", ".jxl", ".jp2", ".psd"],
];
const RAW = [
  ...[".3fr", ".arw", ".cr2", ".cr3", ".crw", ".dcr", ".dng", ".erf", ".fff", ".iiq", ".kdc", ".mef", ".mos"],
  ...[".mrw", ".nef", ".nrw", ".orf", ".pef", ".raf", ".raw", ".rw2", ".rwl", ".sr2", ".srf", ".srw", ".x3f"],
];
const COMPANION = [".yaml", ".yml", ".vtt", ".srt"];
const UNFINISHED = [
  ...[".part", ".partial", ".crdownload", ".download", ".opdownload", ".filepart", ".fdmdownload", ".aria2"],
  ...[".!ut", ".!qb"],
];

const has = (endings: string[]) => (name: string) => endings.includes(extname(name).toLowerCase());
export const isVideoName = has(VIDEO);
export const isPictureName = has(PICTURE);
export const isRawName = has(RAW);
export const isCompanionName = has(COMPANION);
export const isUnfinishedName = has(UNFINISHED);

/** "Vol.2" and "Dr. No" have no ending. */
export function stemOf(name: string): string {
  const ending = extname(name);
  const isEnding = isVideoName(name) || isPictureName(name) || /^\.[a-z][a-z\d]{1,3}$/i.test(ending);
  return isEnding ? name.slice(0, -ending.length) : name;
}

/** Macs write "é" as two characters, other systems as one. */
export function isSameName(name: string, other: string): boolean {
  return name.normalize("NFC") === other.normalize("NFC");
}

export type Kind = "video" | "picture" | "raw" | "companion" | "unfinished" | "other";

const RAW_TYPE = /^image\/x-(?:adobe|canon|nikon|sony|olympus|panasonic|fujifilm)-/;

export async function kindOfFile(path: string, name = path): Promise<Kind> {
  if (isCompanionName(name)) return "companion";
  if (isUnfinishedName(name)) return "unfinished";
  // Many raw files are TIFF files whose first picture is a thumbnail.
  if (isRawName(name)) return "raw";
  const type = await typeOf(path);
  if (RAW_TYPE.test(type)) return "raw";
  if (type.startsWith("image/")) return "picture";
  if (type.startsWith("video/") || type === "application/vnd.ms-asf" || isVideoName(name)) return "video";
  return isPictureName(name) ? "picture" : "other";
}

const BRANDS_BYTES = 128;

/** Phones write HEIC, which nothing here decodes. AVIF belongs to the same family; its brands tell it apart. */
export async function isHeic(path: string): Promise<boolean> {
  const type = await typeOf(path);
  if (type.startsWith("image/heic")) return true;
  return type.startsWith("image/heif") && !/avi[fs]/.test(await readBrands(path));
}

async function readBrands(path: string): Promise<string> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BRANDS_BYTES), 0, BRANDS_BYTES, 0);
    return buffer.toString("latin1", 0, Math.min(bytesRead, buffer.readUInt32BE(0)));
  } finally {
    await handle.close();
  }
}

async function typeOf(path: string): Promise<string> {
  const type = await fileTypeFromFile(path).catch(() => undefined);
  return type?.mime ?? "";
}
