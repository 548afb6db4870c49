import { z } from "zod";
import { readLadder } from "#app/domain/catalog/media/ladder-files.server.ts";
import { sizeOf } from "#app/domain/media/renditions.ts";
import { audioName, masterPlaylist, PLAYLIST_TYPE } from "#app/domain/media/video/playlist.ts";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { paths } from "#app/paths.ts";
import { decideFile, type WantedFile } from "./file-access.server.ts";

type MasterDecision =
  | { status: 403 | 404 | 410 }
  | { status: 200; playlist: string; contentType: typeof PLAYLIST_TYPE };

const MAX_AUDIO_NAME_LENGTH = 100;
const choices = z.object({
  /** The name or language of the default audio track. An unknown one changes nothing. */
  audio: z.string().max(MAX_AUDIO_NAME_LENGTH, { abort: true }).nullish().catch(null),
  /** The shorter side of the only size. */
  h: z.coerce.number().int().positive().nullish().catch(0),
});

/** Whoever may have the first size gets the playlists of all. */
export async function decideMaster(
  viewer: Viewer,
  { mediaId, query }: { mediaId: string; query: URLSearchParams },
  hasDraftLink: WantedFile["hasDraftLink"],
): Promise<MasterDecision> {
  if (!viewer.isAdult) return { status: 403 };
  const { audio, h } = choices.parse({ audio: query.get("audio"), h: query.get("h") });
  const ladder = await readLadder(mediaId);
  const rungs = ladder.rungs.filter(({ width, height }) => h == null || sizeOf({ width, height }) === h);
  const [first] = rungs;
  if (first === undefined) return { status: 404 };
  const addressOf = ({ name, version }: { name: string; version: number }) =>
    paths.mediaFile(mediaId, name, version);
  const path = addressOf(first).replace(/^\/media\//, "");
  const { status } = await decideFile(viewer, { path, isDownload: false, hasDraftLink });
  if (status !== 200) return { status };
  const withUrls = <File extends { name: string; version: number }>(files: File[]) =>
    files.map((file) => ({ ...file, url: addressOf(file) }));
  const isNamed = ({ label }: { label: string }) => audioName(label) === audio;
  const audioTracks = withFirst(
    withFirst(ladder.audioTracks, ({ language }) => language === audio),
    isNamed,
  );
  return {
    status,
    playlist: masterPlaylist(withUrls(rungs), withUrls(audioTracks)),
    contentType: PLAYLIST_TYPE,
  };
}

function withFirst<Item>(items: Item[], isWanted: (item: Item) => boolean): Item[] {
  const wanted = items.find(isWanted);
  return wanted === undefined ? items : [wanted, ...items.filter((item) => item !== wanted)];
}
