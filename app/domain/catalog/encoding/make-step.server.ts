import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { fileNames, fileStems } from "#app/domain/media/renditions.ts";
import { type MediaFileRow, storeMediaFile } from "#app/domain/media/store-file.server.ts";
import { makeCandidates } from "#app/domain/media/video/cover-candidates.server.ts";
import { DAMAGED } from "#app/domain/media/video/ffmpeg.server.ts";
import { makeHoverPreview } from "#app/domain/media/video/hover-preview.server.ts";
import { type InspectedVideo, inspectVideo } from "#app/domain/media/video/inspect.server.ts";
import { planLadder, SEPARATE_AUDIO_BITS } from "#app/domain/media/video/ladder.ts";
import { findGain } from "#app/domain/media/video/loudness.server.ts";
import { VideoError } from "#app/domain/media/video/probe.server.ts";
import { mostRungBytes } from "#app/domain/media/video/rung.server.ts";
import { makeSprites } from "#app/domain/media/video/sprites.server.ts";
import type { AudioTrack } from "#app/domain/media/video/tracks.ts";
import type { Transaction } from "#db/client.server.ts";
import { candidateRung, numberIn, planSteps, rungStep, SOURCE_STEP } from "../edit/files/encoding-steps.ts";
import { insertSteps } from "../edit/files/queue-encoding.server.ts";
import { claimFileVersion } from "../edit/files/replace-files.server.ts";
import { TRAILER_STEP } from "../edit/files/trailer-step.server.ts";
import { assertWhole, findSource, readablePath } from "../originals/remake-sources.server.ts";
import { type Claim, stepsIn } from "./claims.server.ts";
import { makeAudioStep, makeRungSteps, remuxStep } from "./make-sizes.server.ts";
import { makeTrailer } from "./make-trailer.server.ts";
import {
  type MadeStep,
  madeFile,
  type Owner,
  type Source,
  type StepOptions,
  sourceToStore,
  storedSource,
} from "./step-sources.server.ts";

/** Stores files that no row names yet. Throws a VideoError or an ImportRefusal. */
export async function makeStep(claim: Claim, options: StepOptions): Promise<MadeStep> {
  const { step, mediaId, version } = claim;
  if (step === SOURCE_STEP) return readSource(claim, options);
  if (step === TRAILER_STEP) return { files: await makeTrailer(mediaId, options) };
  if (version === null) throw new VideoError("its source has not been read yet");
  const source = await storedSource(claim.mediaId);
  if (numberIn(step, fileStems.rung) !== null)
    return makeRungSteps({ mediaId, version }, source, sizesIn(claim), options);
  const audio = numberIn(step, fileStems.audio);
  if (audio !== null) return makeAudioStep({ mediaId, version }, source, audio, options);
  const video = numberIn(step, fileStems.video);
  if (video !== null) return remuxStep({ mediaId, version }, source, video, options);
  return makePictures({ mediaId, version, step }, source, options);
}

function sizesIn(claim: Claim): number[] {
  return stepsIn(claim).flatMap((step) => numberIn(step, fileStems.rung) ?? []);
}

export async function mostBytes(claim: Claim): Promise<number> {
  const { mediaId, step } = claim;
  const size = numberIn(step, fileStems.rung) ?? numberIn(step, fileStems.video);
  const isAudio = numberIn(step, fileStems.audio) !== null;
  if (size === null && !isAudio) return 0;
  const { video } = await storedSource(mediaId);
  if (isAudio) return mostRungBytes({ ceiling: 0, audioBits: SEPARATE_AUDIO_BITS }, video.seconds);
  const rungs = planLadder(video).filter((each) => each.size === size || sizesIn(claim).includes(each.size));
  return rungs.reduce((sum, rung) => sum + mostRungBytes(rung, video.seconds), 0);
}

async function readSource(
  { mediaId }: Claim,
  { signal, folder, onProgress }: StepOptions,
): Promise<MadeStep> {
  const found = await findSource({ mediaId, photo: null, group: fileStems.video });
  const path = await readablePath(found, folder);
  await assertWhole(found, path);
  const inspected = await inspectVideo(path, signal, { mayBeCopied: false });
  const { audioTracks, gains } = await readAudioTracks(inspected, { signal, onProgress });
  const video = { ...inspected, audioTracks };
  const lost = inspected.audioTracks.length - audioTracks.length;
  const source: Source = { video: { ...video, input: [] }, gains, isOriginal: found.isOriginal };
  const writeFacts = async (tx: Transaction) => {
    const version = await claimFileVersion(mediaId, tx);
    await tx.execute(sql`UPDATE media_encodings SET version = ${version}, source = ${sourceToStore(source)}::jsonb
      WHERE media_id = ${mediaId}`);
    await insertSteps(
      tx,
      mediaId,
      planSteps({ ...video, audioTracks: audioTracks.length }, found.isOriginal),
    );
  };
  const leftOut =
    lost > 0
      ? [`${lost} of its ${inspected.audioTracks.length} audio tracks could not be decoded and were left out`]
      : [];
  return { files: [], writeFacts, warnings: [...inspected.warnings, ...leftOut] };
}

/** A damaged default track fails the video; another one is left out. */
async function readAudioTracks(
  video: InspectedVideo,
  { signal, onProgress }: Pick<StepOptions, "signal" | "onProgress">,
): Promise<{ audioTracks: AudioTrack[]; gains: number[] }> {
  const audioTracks: AudioTrack[] = [];
  const gains: number[] = [];
  for (const [at, track] of video.audioTracks.entries()) {
    const report = (part: number) => onProgress((at + part) / video.audioTracks.length);
    try {
      gains.push(await findGain(video, track.index, { signal, onProgress: report }));
      audioTracks.push(track);
    } catch (error) {
      const isDamaged = error instanceof VideoError && error.message === DAMAGED;
      if (at === 0 || !isDamaged) throw error;
    }
  }
  return { audioTracks, gains };
}

/** Cut from a rung, which has the right colors and shape already. */
async function makePictures(
  { mediaId, version, step }: Owner & { step: string },
  { video: { seconds, ...video } }: Source,
  { signal, folder, onProgress }: StepOptions,
): Promise<MadeStep> {
  const ladder = planLadder(video);
  const chosen = step === fileStems.candidate ? candidateRung(ladder) : ladder.at(-1);
  if (chosen === undefined) throw new VideoError("it has no ladder");
  const { width, height } = chosen;
  const rung = await madeFile(mediaId, rungStep(chosen.size), fileNames.rung(chosen.size));
  const path = await readablePath(rung, folder);
  const made = { path, seconds };
  const options = { signal, onProgress };
  const webp = { mediaId, version, contentType: "image/webp" };
  if (step === fileStems.candidate) {
    const files: MediaFileRow[] = [];
    for (const [index, picture] of (await makeCandidates(folder, made, options)).entries()) {
      const { data, ...size } = picture;
      const facts = { ...webp, ...size, name: fileNames.candidate(index + 1), needs: "edit" } as const;
      files.push(await storeMediaFile(data, facts));
    }
    return { files };
  }
  if (step === fileStems.sprite) {
    const sized = { ...made, width, height };
    const { sheets, vtt } = await makeSprites(folder, sized, { ...options, nameOf: fileNames.sprite });
    const files: MediaFileRow[] = [];
    for (const [index, { data, ...size }] of sheets.entries()) {
      const facts = { ...webp, ...size, name: fileNames.sprite(index + 1), needs: "view" } as const;
      files.push(await storeMediaFile(data, facts));
    }
    const times = {
      name: fileNames.spriteTimes(),
      contentType: "text/vtt; charset=utf-8",
      needs: "view",
    } as const;
    files.push(await storeMediaFile(Buffer.from(vtt), { mediaId, version, ...times }));
    return { files };
  }
  const target = join(folder, fileNames.hover());
  await makeHoverPreview(target, made, options);
  const facts = { name: fileNames.hover(), contentType: "video/mp4", needs: "view" } as const;
  return { files: [await storeMediaFile(await readFile(target), { mediaId, version, ...facts })] };
}
