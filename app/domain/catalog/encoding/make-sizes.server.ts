import { join } from "node:path";
import { sql } from "drizzle-orm";
import { fileNames } from "#app/domain/media/renditions.ts";
import { type MediaFileRow, storeMediaFile, storeVideoFile } from "#app/domain/media/store-file.server.ts";
import { planLadder } from "#app/domain/media/video/ladder.ts";
import { PLAYLIST_TYPE } from "#app/domain/media/video/playlist.ts";
import { VideoError } from "#app/domain/media/video/probe.server.ts";
import { remuxVideo } from "#app/domain/media/video/remux.server.ts";
import { planVideos } from "#app/domain/media/video/renditions-plan.ts";
import { type MadeTrack, makeRung, makeSound } from "#app/domain/media/video/rung.server.ts";
import type { Transaction } from "#db/client.server.ts";
import { rungStep, soundStep } from "../edit/files/encoding-steps.ts";
import { readablePath } from "../originals/remake-sources.server.ts";
import {
  type MadeStep,
  madeFile,
  type Owner,
  readable,
  type Source,
  type StepOptions,
} from "./step-sources.server.ts";

export async function makeRungStep(
  { mediaId, version }: Owner,
  { video, gains: [gain = 0] }: Source,
  quality: number,
  { signal, folder, onProgress }: StepOptions,
): Promise<MadeStep> {
  const rung = planLadder(video).find((each) => each.quality === quality);
  if (rung === undefined) throw new VideoError("the size is not in its ladder");
  const read = await readable(mediaId, video);
  const made = await makeRung(folder, fileNames.rung(quality), read, { rung, gain, signal, onProgress });
  const { width, height } = rung;
  const names = { file: fileNames.rung(quality), playlist: fileNames.rungPlaylist(quality) };
  return { files: await storeMade(made, names, { mediaId, version, width, height }) };
}

export async function makeSoundStep(
  { mediaId, version }: Owner,
  { video, gains }: Source,
  number: number,
  { signal, folder, onProgress }: StepOptions,
): Promise<MadeStep> {
  const track = video.sounds[number - 1];
  const smallest = planLadder(video).at(-1);
  if (track === undefined || smallest === undefined) throw new VideoError("it has no such sound");
  const { quality } = smallest;
  const rung = await readablePath(await madeFile(mediaId, rungStep(quality), fileNames.rung(quality)));
  const names = { file: fileNames.rungSound(number), playlist: fileNames.rungSoundPlaylist(number) };
  const made = await makeSound(folder, names.file, await readable(mediaId, video), {
    ...{ sound: track.index, rung, gain: gains[number - 1] ?? 0, signal, onProgress },
  });
  const { language, label } = track;
  return { files: await storeMade(made, names, { mediaId, version, language, label }) };
}

async function storeMade(
  { path, playlist, bandwidth, codecs }: MadeTrack,
  names: { file: string; playlist: string },
  facts: Owner & Pick<MediaFileRow, "width" | "height" | "language" | "label">,
): Promise<MediaFileRow[]> {
  const owner = { ...facts, needs: "view" } as const;
  const file = { ...owner, name: names.file, contentType: "video/mp4" };
  const list = { ...owner, name: names.playlist, contentType: PLAYLIST_TYPE };
  return [
    await storeMediaFile({ path, move: true }, file),
    { ...(await storeMediaFile(Buffer.from(playlist), list)), bandwidth, codecs },
  ];
}

export async function remuxStep(
  { mediaId, version }: Owner,
  { video }: Source,
  quality: number,
  { signal, folder, onProgress }: StepOptions,
): Promise<MadeStep> {
  const rung = await madeFile(mediaId, rungStep(quality), fileNames.rung(quality));
  const path = join(folder, fileNames.video(quality));
  const sound =
    video.sounds.length > 1
      ? await readablePath(await madeFile(mediaId, soundStep(1), fileNames.rungSound(1)))
      : null;
  const durationSeconds = await remuxVideo(await readablePath(rung), path, {
    ...{ sound, seconds: video.seconds, signal, onProgress },
  });
  const { width = 0, height = 0 } = rung;
  const [best] = planVideos({ ...video, isPlayable: false });
  const writeFacts = async (tx: Transaction) => {
    if (best === undefined || Math.min(best.width, best.height) !== quality) return;
    await tx.execute(sql`UPDATE media SET duration_seconds = ${durationSeconds}, width = ${width}, height = ${height}
      WHERE id = ${mediaId} AND (abs(duration_seconds - ${durationSeconds}) > 0.1 OR (width, height)
        IS DISTINCT FROM (${width}::int, ${height}::int))`);
  };
  const file = await storeVideoFile({ path, move: true }, { mediaId, version, width, height });
  return { files: [file], writeFacts };
}
