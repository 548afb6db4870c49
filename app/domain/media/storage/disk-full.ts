/** Stays free whatever is written: a full disk ends a site with the built-in database. */
export const DISK_RESERVE_BYTES = 1e9;

export const DISK_FULL = "the disk of the media folder is full";

/** A file system that is full, or the quota of its user. */
export function isNoSpace(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");
}

export function noSpace(): Error {
  return Object.assign(new Error(DISK_FULL), { code: "ENOSPC" });
}
