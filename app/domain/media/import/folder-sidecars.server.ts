import { readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { FILE_LIMITS, largerThan } from "#app/file-limits.ts";
import { isSameName, stemOf } from "./file-kinds.server.ts";
import { diskReason, ImportRefusal } from "./refusal.ts";
import { parseSidecar, type Sidecar } from "./sidecar.ts";

interface NamedSidecar {
  name: string;
  sidecar: Sidecar | ImportRefusal;
}

export async function readSidecars(
  folder: string,
  label: string,
  companions: string[],
): Promise<NamedSidecar[]> {
  const names = companions.filter((companion) => companion.endsWith(".yaml"));
  return Promise.all(
    names.map(async (name) => {
      const sidecar = await readSidecar(join(folder, name), companions).catch((error: Error) => {
        return new ImportRefusal(join(label, name), diskReason(error) ?? error.message);
      });
      return { name, sidecar };
    }),
  );
}

/** Null when a sidecar could not be read, and may name others. */
export function namedCaptions(sidecars: NamedSidecar[]): string[] | null {
  const named: string[] = [];
  for (const { sidecar } of sidecars) {
    if (sidecar instanceof ImportRefusal) return null;
    for (const { file } of sidecar.captions ?? []) named.push(file);
  }
  return named;
}

/** The sidecar and the disk may use different forms of Unicode. */
async function readSidecar(path: string, companions: string[]): Promise<Sidecar> {
  if ((await stat(path)).size > FILE_LIMITS.sidecar) throw new Error(largerThan(FILE_LIMITS.sidecar));
  const sidecar = parseSidecar(await readFile(path));
  if (!sidecar.captions) return sidecar;
  const captions = sidecar.captions.map((each) => {
    return { ...each, file: companions.find((name) => isSameName(name, each.file)) ?? each.file };
  });
  return { ...sidecar, captions };
}

export const FOLDER_SIDECAR = "media.yaml";

interface Folder {
  companions: string[];
  videos: string[];
  hasPictures: boolean;
  captions: string[] | null;
}

export function listUnused({ companions, ...folder }: Folder): { name: string; reason: string }[] {
  return companions.flatMap((name) => {
    const reason = /\.ya?ml$/i.test(name) ? whySidecar(name, folder) : whyCaptions(name, folder);
    return reason === null ? [] : [{ name, reason }];
  });
}

function whySidecar(name: string, { videos, hasPictures }: Omit<Folder, "companions">): string | null {
  const stem = stemOf(name);
  const isOfVideo = videos.some((video) => isSameName(stem, stemOf(video)));
  if (isOfVideo)
    return extname(name) === ".yaml" ? null : `not read under this name; rename it to ${stem}.yaml`;
  if (stem.toLowerCase() !== "media") return "there is no video with this name beside it";
  if (name !== FOLDER_SIDECAR) return `not read under this name; rename it to ${FOLDER_SIDECAR}`;
  return videos.length > 0 || hasPictures ? null : "there is nothing in its folder that it could describe";
}

function whyCaptions(name: string, { captions }: Omit<Folder, "companions">): string | null {
  return captions === null || captions.some((named) => isSameName(named, name))
    ? null
    : "no sidecar in its folder names these captions";
}
