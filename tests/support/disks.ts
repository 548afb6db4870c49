import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, type StatsFs } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Only root may mount a small disk. */
export function mayMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), "peony-small-disk-"));
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "none", probe]).status === 0;
  if (isMounted) execFileSync("umount", ["--lazy", probe]);
  rmSync(probe, { recursive: true });
  return isMounted;
}

/** Until the returned function is called or the test ends, this process hears of so many free bytes, whoever runs it. */
export function sayFreeBytes(bytes: number): () => void {
  const { statfs } = promises;
  const say = (stat: typeof statfs) => {
    promises.statfs = stat;
    syncBuiltinESMExports();
  };
  const free = async (...args: Parameters<typeof statfs>) => {
    const disk = (await statfs(...args)) as StatsFs;
    return Object.assign(disk, { bavail: Math.floor(bytes / disk.bsize) });
  };
  say(free as typeof statfs);
  const end = () => say(statfs);
  onTestFinished(end);
  return end;
}

/** Until the test ends no folder can be listed, as on a lost network disk. Resolves once somebody has tried. */
export function loseFolders(): Promise<void> {
  const { readdir } = promises;
  const replace = (list: unknown) => {
    promises.readdir = list as typeof readdir;
    syncBuiltinESMExports();
  };
  onTestFinished(() => replace(readdir));
  return new Promise((resolve) => {
    replace(() => {
      resolve();
      return new Promise(() => {});
    });
  });
}
