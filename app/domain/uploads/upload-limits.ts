import { ITEM_LIMITS } from "#app/domain/media/item-texts.ts";

export const UPLOAD_LIMITS = {
  /** At a time: the largest photo set with its sidecar, and some more. */
  files: ITEM_LIMITS.photos + 50,
  /** Characters of the path below the chosen folder. */
  path: 500,
  folders: 10,
  fingerprint: 100,
  keptDays: 7,
  /** Of a person, not imported yet. */
  openBatches: 50,
  openFiles: 5_000,
} as const;

/** The folder of loose files, and so the title of their set. */
export const LOOSE_FILES = "New photo set";

const NAME_BYTES = 255;

export function normalizedPath(path: string): string {
  return path.normalize("NFC").split("/").filter(Boolean).join("/");
}

/** A reason without the name, for a normalized path. */
export function pathProblem(path: string): string | null {
  const names = path.split("/");
  if (path === "") return "it has no name";
  if (path.length > UPLOAD_LIMITS.path) return "its path is too long";
  if (names.length - 1 > UPLOAD_LIMITS.folders)
    return `it is more than ${UPLOAD_LIMITS.folders} folders deep`;
  if (names.some((name) => name === "." || name === "..")) return "its name leads out of its folder";
  if (/[\p{Cc}\p{Cs}\\]/u.test(path)) return "its name contains characters that are not allowed";
  const isTooLong = names.some((name) => new TextEncoder().encode(name).length > NAME_BYTES);
  return isTooLong ? "its name is too long" : null;
}
