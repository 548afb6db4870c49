import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Only root may mount a small disk. */
export function mayMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), "peony-small-disk-"));
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "none", probe]).status === 0;
  if (isMounted) execFileSync("umount", ["--lazy", probe]);
  rmSync(probe, { recursive: true });
  return isMounted;
}
