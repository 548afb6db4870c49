import { join } from "node:path";
import { sql } from "drizzle-orm";
import { fileNames, sizeOf } from "#app/domain/media/renditions.ts";
import { storeVideoFile } from "#app/domain/media/store-file.server.ts";
import { planLadder } from "#app/domain/media/video/ladder.ts";
import { VideoError } from "#app/domain/media/video/probe.server.ts";
import { remuxVideo } from "#app/domain/media/video/remux.server.ts";
import { planVideos } from "#app/domain/media/video/renditions-plan.ts";
import { makeAudio, makeRungs } from "#app/domain/media/video/rung.server.ts";
import { storeRungs, storeTrack } from "#app/domain/media/video/store-rung.server.ts";
import type { Transaction } from "#db/client.server.ts";
import { audioStep, rungStep } from "../edit/files/encoding-steps.ts";
import { readablePath } from "../originals/remake-sources.server.ts";
import {
  type MadeStep,
  madeFile,
  type Owner,
  readable,
  type Source,
  type StepOptions,
} from "./step-sources.server.ts";

/** In one pass. */
export async function makeRungSteps(
  { mediaId, version }: Owner,
  { video, gains: [gain = 0] }: Source,
  sizes: readonly number[],
  { signal, folder, onProgress }: StepOptions,
): Promise<MadeStep> {
  const rungs = planLadder(video).filter(({ size }) => sizes.includes(size));
  if (rungs.length < sizes.length) throw new VideoError("the size is not in its ladder");
  const read = await readable(mediaId, video, folder);
  const { made } = await makeRungs(folder, read, { rungs, gain, signal, onProgress });
  return { files: await storeRungs(made, { mediaId, version }) };
}

export async function makeAudioStep(
  { mediaId, version }: Owner,
  { video, gains }: Source,
  number: number,
  { signal, folder, onProgress }: StepOptions,
): Promise<MadeStep> {
  const track = video.audioTracks[number - 1];
  const smallest = planLadder(video).at(-1);
  if (track === undefined || smallest === undefined) throw new VideoError("it has no such audio track");
  const { size } = smallest;
  const rung = await readablePath(await madeFile(mediaId, rungStep(size), fileNames.rung(size)), folder);
  const names = { file: fileNames.rungAudio(number), playlist: fileNames.rungAudioPlaylist(number) };
  const made = await makeAudio(folder, names.file, await readable(mediaId, video, folder), {
    ...{ track: track.index, rung, gain: gains[number - 1] ?? 0, signal, onProgress },
  });
  const { language, label } = track;
  return { files: await storeTrack(made, names, { mediaId, version, language, label }) };
}

export async function remuxStep(
  { mediaId, version }: Owner,
  { video }: Source,
  size: number,
  { signal, folder, onProgress }: StepOptions,
): Promise<MadeStep> {
  const rung = await madeFile(mediaId, rungStep(size), fileNames.rung(size));
  const path = join(folder, fileNames.video(size));
  const audio =
    video.audioTracks.length > 1 ? await madeFile(mediaId, audioStep(1), fileNames.rungAudio(1)) : null;
  const durationSeconds = await remuxVideo(await readablePath(rung, folder), path, {
    audio: audio === null ? null : await readablePath(audio, folder),
    ...{ seconds: video.seconds, signal, onProgress },
  });
  const { width = 0, height = 0 } = rung;
  const [best] = planVideos({ ...video, isPlayable: false });
  const writeFacts = async (tx: Transaction) => {
    if (best === undefined || sizeOf(best) !== size) return;
    await tx.execute(sql`UPDATE media SET duration_seconds = ${durationSeconds}, width = ${width}, height = ${height}
      WHERE id = ${mediaId} AND (abs(duration_seconds - ${durationSeconds}) > 0.1 OR (width, height)
        IS DISTINCT FROM (${width}::int, ${height}::int))`);
  };
  const file = await storeVideoFile({ path, move: true }, { mediaId, version, width, height });
  return { files: [file], writeFacts };
}
