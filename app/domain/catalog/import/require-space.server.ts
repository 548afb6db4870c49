import { existsSync } from "node:fs";
import { config } from "#app/config.server.ts";
import { readDiskSpace } from "#app/domain/health/disk.server.ts";
import { Refusal } from "#app/domain/media/intake/refusal.ts";
import { sizeText } from "#app/sizes.ts";

/** An original, and as much again for what is made of it at once. */
const COPIES = 2;

/**
 * A full disk ends a site with the built-in database, and an original is the largest file of its item. Throws a Refusal
 * before anything is written. `rehearsedBytes`: of earlier items that a dry run has not stored.
 */
export async function requireSpace(
  label: string,
  bytes: number,
  { rehearsedBytes, kind }: { rehearsedBytes: number; kind: "video" | "photoSet" },
): Promise<void> {
  const folder = [config.media.dir, config.dataDir].find((path) => existsSync(path));
  // The worker needs the original of a video, and drops it afterwards where the host keeps none.
  const isKept = config.media.keepsOriginals || kind === "video";
  if (!isKept || folder === undefined) return;
  const { freeBytes } = await readDiskSpace(folder);
  const needed = COPIES * bytes;
  const free = Math.max(0, freeBytes - COPIES * rehearsedBytes);
  if (needed <= free) return;
  const advice = kind === "video" ? "free some" : "free some, or set KEEP_ORIGINALS=off";
  throw new Refusal(
    label,
    `it needs ${sizeText(needed)} with its original, and the disk has ${sizeText(free)}: ${advice}`,
  );
}
