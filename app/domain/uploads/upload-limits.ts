/** The most that one request carries. The route reads no more, and nginx takes no more in. */
export const PIECE_BYTES = 5 * 1024 ** 2;

export const UPLOAD_LIMITS = {
  /** Chosen at once: a photo set of 1,000 with its sidecar, and some more. */
  files: 1_050,
  /** Characters of the path below the chosen folder. */
  path: 500,
  folders: 10,
  fingerprint: 100,
  /** Days for which an upload waits that nothing comes for, and a refused file for another try. */
  keptDays: 7,
} as const;

/** The folder of files that were chosen without one: a set of loose pictures begins with this title. */
export const LOOSE_FILES = "New photo set";

/** The file systems of Linux take no longer name. */
const NAME_BYTES = 255;

/** The same path in one form of Unicode, with single slashes. */
export function normalizedPath(path: string): string {
  return path.normalize("NFC").split("/").filter(Boolean).join("/");
}

/** A plain reason against a normalized path; null for one that stays inside its folder. */
export function pathProblem(path: string): string | null {
  const names = path.split("/");
  if (path === "") return "it has no name";
  if (path.length > UPLOAD_LIMITS.path) return "its name and folders are too long";
  if (names.length > UPLOAD_LIMITS.folders) return `it lies more than ${UPLOAD_LIMITS.folders} folders deep`;
  if (names.some((name) => name === "." || name === "..")) return "its name leads out of its folder";
  if (/[\p{Cc}\p{Cs}\\]/u.test(path)) return "its name contains characters that are not allowed";
  const isTooLong = names.some((name) => new TextEncoder().encode(name).length > NAME_BYTES);
  return isTooLong ? "its name is too long" : null;
}

/** Why a file of a form without JavaScript was not taken. */
export type FormTrouble = "name" | "twice" | "empty" | "space" | "large" | "many" | "unread" | "none";
