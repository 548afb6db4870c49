import { spawnSync } from "node:child_process";

/** The subject of the merge commit by which a change comes to main; see CONTRIBUTING.md. */
const LANDING = /^Land /;

/**
 * The paths that differ from what main was before this change, with what is not committed. Null when the history does
 * not say what main was: then every test has to run.
 */
export function listTouched(isCi: boolean): string[] | null {
  const base = isCi ? (landedOn() ?? forkOff()) : (forkOff() ?? git("rev-parse", "--verify", "HEAD"));
  if (base === null) return null;
  const changed = git("diff", "--name-only", "--no-renames", base);
  const added = git("ls-files", "--others", "--exclude-standard");
  if (changed === null || added === null) return null;
  return [...changed.split("\n"), ...added.split("\n")].filter(Boolean);
}

/** In a clone of main itself, only the commit that brought the change says what main was. */
function landedOn(): string | null {
  if (!LANDING.test(git("log", "-1", "--format=%s") ?? "")) return null;
  return git("rev-parse", "--verify", "--quiet", "HEAD^2") && git("rev-parse", "--verify", "HEAD^1");
}

/** Where this branch has left main. Null on main itself, and in a clone without enough history. */
function forkOff(): string | null {
  for (const main of ["origin/main", "main"]) {
    const base = git("merge-base", "HEAD", main);
    if (base !== null && base !== git("rev-parse", "HEAD")) return base;
  }
  return null;
}

function git(...args: string[]): string | null {
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}
