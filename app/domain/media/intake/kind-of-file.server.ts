import { fileTypeFromFile } from "file-type";
import { isCompanionName, isPictureName, isRawName, isUnfinishedName, isVideoName } from "./file-endings.ts";

export type Kind = "video" | "picture" | "raw" | "companion" | "unfinished" | "other";

const RAW_TYPE = /^image\/x-(?:adobe|canon|nikon|sony|olympus|panasonic|fujifilm)-/;

/** By its content, whatever its name; the name decides only where the content says nothing. */
export async function kindOfFile(path: string): Promise<Kind> {
  if (isCompanionName(path)) return "companion";
  if (isUnfinishedName(path)) return "unfinished";
  // Many are TIFF inside, with a thumbnail as their first picture.
  if (isRawName(path)) return "raw";
  const type = await typeOf(path);
  if (RAW_TYPE.test(type)) return "raw";
  if (type.startsWith("image/")) return "picture";
  if (type.startsWith("video/") || type === "application/vnd.ms-asf" || isVideoName(path)) return "video";
  return isPictureName(path) ? "picture" : "other";
}

/** A file that cannot be read is refused later, by name. */
async function typeOf(path: string): Promise<string> {
  const type = await fileTypeFromFile(path).catch(() => undefined);
  return type?.mime ?? "";
}
