import { delimiter, join } from "node:path";

/** Programs that take the place of the system's own in tests: its `nice` begins at once. */
export const STAND_INS = join(import.meta.dirname, "at-once");

/** Finds the system's own programs again. */
export function pathWithoutStandIns(): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.filter((folder) => folder !== STAND_INS).join(delimiter);
}
