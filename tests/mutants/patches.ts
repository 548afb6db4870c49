import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export interface NamedTest {
  file: string;
  /** A part of the test's name; null for all tests of the file. */
  name: string | null;
  /** A part of the error that ends the test when no assertion does. */
  error: string | null;
}

/** A small change that removes one defense, and the test that must detect it. */
export interface Mutant {
  /** The file name without its extension, such as "row-36-unsigned-events". */
  name: string;
  /** The patch's path, relative to the root of the checkout. */
  path: string;
  /** The number of the threat in threats.ts. */
  row: number;
  breaks: string;
  test: NamedTest;
}

const MUTANTS_DIR = "tests/mutants";
const HEADER =
  /^Row: (?<row>\d+)\nBreaks: (?<breaks>.+)\nTest: (?<file>\S+\.test\.tsx?)(?: -t "(?<name>.+)")?\n(?:Error: (?<error>.+)\n)?--- a\//;

/** Returns all mutants by row. Throws for a patch without a complete header. */
export function listMutants(): Mutant[] {
  return readdirSync(MUTANTS_DIR)
    .filter((file) => file.endsWith(".patch"))
    .map(readMutant)
    .sort((a, b) => a.row - b.row || a.name.localeCompare(b.name));
}

function readMutant(file: string): Mutant {
  const path = join(MUTANTS_DIR, file);
  const header = HEADER.exec(readFileSync(path, "utf8"))?.groups;
  if (!header?.row || !header.breaks || !header.file) throw new Error(`${path} needs Row, Breaks and Test`);
  return {
    name: file.replace(/\.patch$/, ""),
    path,
    row: Number(header.row),
    breaks: header.breaks,
    test: { file: header.file, name: header.name ?? null, error: header.error ?? null },
  };
}

/** Applies a patch to the checkout in `folder`. Throws git's own message when it does not apply. */
export function applyPatch(patch: string, folder: string, ...options: ("--check" | "--reverse")[]): void {
  execFileSync("git", ["apply", ...options, resolve(patch)], {
    cwd: folder,
    // In a folder inside another repository, git would silently skip every file.
    env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(resolve(folder)) },
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
}
