import { extname } from "node:path";
import { isSameName, stemOf } from "./file-endings.ts";

export const FOLDER_SIDECAR = "media.yaml";

interface Folder {
  companions: string[];
  videos: string[];
  hasPictures: boolean;
  /** Named by sidecars; null when one cannot be read. */
  captions: string[] | null;
}

/** Sidecars and captions that nothing in their folder uses, each with a plain reason. */
export function findUnused({ companions, ...folder }: Folder): { name: string; reason: string }[] {
  return companions.flatMap((name) => {
    const reason = /\.ya?ml$/i.test(name) ? whySidecar(name, folder) : whyCaptions(name, folder);
    return reason === null ? [] : [{ name, reason }];
  });
}

function whySidecar(name: string, { videos, hasPictures }: Omit<Folder, "companions">): string | null {
  const stem = stemOf(name);
  const isOfVideo = videos.some((video) => isSameName(stem, stemOf(video)));
  if (isOfVideo) return extname(name) === ".yaml" ? null : `not read under this name; call it ${stem}.yaml`;
  if (stem.toLowerCase() !== "media") return "there is no video of this name beside it";
  if (name !== FOLDER_SIDECAR) return `not read under this name; call it ${FOLDER_SIDECAR}`;
  return videos.length > 0 || hasPictures ? null : "nothing in its folder that it could describe";
}

function whyCaptions(name: string, { captions }: Omit<Folder, "companions">): string | null {
  return captions === null || captions.some((named) => isSameName(named, name))
    ? null
    : "no sidecar in its folder names these captions";
}
