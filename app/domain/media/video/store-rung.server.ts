import { fileNames } from "../renditions.ts";
import { type MediaFileRow, type MediaOwner, storeMediaFile } from "../store-file.server.ts";
import { PLAYLIST_TYPE } from "./playlist.ts";
import type { MadeRung, MadeTrack } from "./rung.server.ts";

export async function storeRungs(rungs: readonly MadeRung[], owner: MediaOwner): Promise<MediaFileRow[]> {
  const files: MediaFileRow[] = [];
  for (const made of rungs) {
    const { size, width, height } = made.rung;
    const names = { file: fileNames.rung(size), playlist: fileNames.rungPlaylist(size) };
    files.push(...(await storeTrack(made, names, { ...owner, width, height })));
  }
  return files;
}

export async function storeTrack(
  { path, playlist, bandwidth, codecs }: MadeTrack,
  names: { file: string; playlist: string },
  facts: MediaOwner & Pick<MediaFileRow, "width" | "height" | "language" | "label">,
): Promise<MediaFileRow[]> {
  const owner = { ...facts, needs: "view" } as const;
  const file = { ...owner, name: names.file, contentType: "video/mp4" };
  const list = { ...owner, name: names.playlist, contentType: PLAYLIST_TYPE };
  return [
    await storeMediaFile({ path, move: true }, file),
    { ...(await storeMediaFile(Buffer.from(playlist), list)), bandwidth, codecs },
  ];
}
