import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";

/** The path of the readable file that is the script's only argument. Prints what is wrong otherwise, and returns null. */
export function fileArgument(usage: string): string | null {
  const [file, ...rest] = process.argv.slice(2);
  if (file === undefined || file.startsWith("-") || rest.length > 0) {
    console.error(usage);
    return null;
  }
  const path = resolve(file);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    console.error(`There is no file ${path}`);
    return null;
  }
  try {
    accessSync(path, constants.R_OK);
    return path;
  } catch {
    console.error(`This user may not read ${path}: run the command as its owner.`);
    return null;
  }
}
