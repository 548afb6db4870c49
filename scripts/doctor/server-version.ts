import { OLDEST_MAJOR, releaseWithFixes } from "#db/server/security-releases.ts";
import { fix, type Outcome, ok } from "./check.ts";

/** A demo may run on the built-in server, whose package brings security fixes late (decision 122). */
export function assessVersion(serverVersion: string, isDemo: boolean): Outcome {
  // Distributions append the name of their package.
  const [version = ""] = serverVersion.split(" ");
  if (Number.parseInt(version, 10) < OLDEST_MAJOR) {
    return fix(`Version ${version} is too old: upgrade to ${OLDEST_MAJOR} or later`);
  }
  const release = releaseWithFixes(version);
  if (release === null) return ok(version);
  if (isDemo) return ok(`${version}, which is fine for a demo; a real site needs ${release} or later`);
  return fix(
    `Version ${version} lacks security fixes: upgrade to ${release} or later, or from the built-in server to a separate one (docs/operations.md)`,
  );
}
