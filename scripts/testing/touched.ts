import { spawnSync } from "node:child_process";

/** The subject of the merge commit by which a change comes to main; see CONTRIBUTING.md. */
const LANDING = /^Land /;

/**
 * The paths that differ from what main was before this change, with what is not committed. Null when the history does
 * not say what main was: then every test has to run.
 */
export function listTouched(isCi: boolean, folder = "."): string[] | null {
  const git = gitIn(folder);
  const base = forkOff(git) ?? (isCi ? landedOn(git) : git("rev-parse", "--verify", "HEAD"));
  if (base === null) return null;
  const changed = git("diff", "--name-only", "--no-renames", base);
  const added = git("ls-files", "--others", "--exclude-standard");
  if (changed === null || added === null) return null;
  return [...changed.split("\n"), ...added.split("\n")].filter(Boolean);
}

type Git = (...args: string[]) => string | null;

/** Where this branch has left main. Null on main itself, and in a clone without enough history. */
function forkOff(git: Git): string | null {
  for (const main of ["origin/main", "main"]) {
    const base = git("merge-base", "HEAD", main);
    if (base !== null && base !== git("rev-parse", "HEAD")) return base;
  }
  return null;
}

/** In a clone of main itself, only the commit that brought the change says what main was. */
function landedOn(git: Git): string | null {
  if (!LANDING.test(git("log", "-1", "--format=%s") ?? "")) return null;
  return git("rev-parse", "--verify", "--quiet", "HEAD^2") && git("rev-parse", "--verify", "HEAD^1");
}

/** Null for a command that fails. */
function gitIn(folder: string): Git {
  return (...args) => {
    const { status, stdout } = spawnSync("git", args, { cwd: folder, encoding: "utf8" });
    return status === 0 ? stdout.trim() : null;
  };
}
