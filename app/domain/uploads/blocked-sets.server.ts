import { basename, dirname } from "node:path";
import { isPictureName, isVideoName } from "#app/domain/media/import/file-kinds.server.ts";
import { photoBeside } from "#app/domain/media/import/photo-companions.server.ts";
import { HELD_BACK } from "#app/domain/media/import/refusal.ts";
import { DISK_FULL } from "#app/domain/media/storage/disk-full.ts";
import { hasArrived } from "./upload-conditions.server.ts";

interface Outcome {
  path: string;
  bytes: number;
  receivedBytes: number;
  state: string;
  note: string | null;
}

interface Blocked<File> {
  inTheWay: File[];
  heldBack: File[];
}

/**
 * A set is imported with all pictures that have arrived or not at all, so one damaged picture holds back a thousand. A video
 * holds back nothing, and neither does a file that a full disk refused: it may fit later.
 */
export function blockedIn<File extends Outcome>(files: File[]): Blocked<File> {
  const refused = files.filter(({ state }) => state === "refused");
  const heldBack = refused.filter(isHeldBack);
  const waiting = heldBack.filter(({ path }) => isPictureName(path) || isVideoName(path));
  const folders = new Set(waiting.map(({ path }) => dirname(path)));
  const foldersOfSets = new Set(waiting.filter(isPicture).map(({ path }) => dirname(path)));
  const inTheWay = refused.filter(
    (file) =>
      !isHeldBack(file) &&
      file.note !== DISK_FULL &&
      (isPicture(file) ? foldersOfSets : folders).has(dirname(file.path)) &&
      hasArrived(file) &&
      !isVideoName(file.path),
  );
  return { inTheWay, heldBack: inTheWay.length > 0 ? waiting : [] };
}

function isPicture({ path }: Outcome): boolean {
  return isPictureName(path);
}

function isHeldBack({ note }: Outcome): boolean {
  return note?.startsWith(HELD_BACK) ?? false;
}

/** The camera's raw pictures and clips: without their photos, each would become an item of its own. */
export function companionsOf<File extends Outcome>(photos: File[], files: File[]): File[] {
  return files.filter(({ path, state }) => {
    const beside = photos.filter((photo) => dirname(photo.path) === dirname(path));
    const names = beside.map((photo) => basename(photo.path));
    return state === "passedOver" && photoBeside(basename(path), names) !== undefined;
  });
}
