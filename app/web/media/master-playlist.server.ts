import { listRungs } from "#app/domain/catalog/media/ladder-files.server.ts";
import { masterPlaylist, PLAYLIST_TYPE } from "#app/domain/media/video/playlist.ts";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { paths } from "#app/paths.ts";
import { decideFile, type WantedFile } from "./file-access.server.ts";

type MasterDecision =
  | { status: 403 | 404 | 410 }
  | { status: 200; playlist: string; contentType: typeof PLAYLIST_TYPE };

/** Names the playlists of all sizes to whoever may have the first of them; there is no other rule. */
export async function decideMaster(
  viewer: Viewer,
  mediaId: string,
  hasDraftLink: WantedFile["hasDraftLink"],
): Promise<MasterDecision> {
  if (!viewer.isAdult) return { status: 403 };
  const rungs = await listRungs(mediaId);
  const [first] = rungs;
  if (first === undefined) return { status: 404 };
  const addressOf = ({ name, version }: { name: string; version: number }) =>
    paths.mediaFile(mediaId, name, version);
  const path = addressOf(first).replace(/^\/media\//, "");
  const { status } = await decideFile(viewer, { path, isDownload: false, hasDraftLink });
  if (status !== 200) return { status };
  const entries = rungs.map((rung) => ({ ...rung, url: addressOf(rung) }));
  return { status, playlist: masterPlaylist(entries), contentType: PLAYLIST_TYPE };
}
