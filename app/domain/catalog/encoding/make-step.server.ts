import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { fileNames, fileStems } from "#app/domain/media/renditions.ts";
import { type MediaFileRow, storeMediaFile } from "#app/domain/media/store-file.server.ts";
import { makeCandidates } from "#app/domain/media/video/cover-candidates.server.ts";
import { DAMAGED } from "#app/domain/media/video/ffmpeg.server.ts";
import { makeHoverPreview } from "#app/domain/media/video/hover-preview.server.ts";
import { type InspectedVideo, inspectVideo } from "#app/domain/media/video/inspect.server.ts";
import { planLadder, SEPARATE_SOUND } from "#app/domain/media/video/ladder.ts";
import { findGain } from "#app/domain/media/video/loudness.server.ts";
import { VideoError } from "#app/domain/media/video/probe.server.ts";
import { mostRungBytes } from "#app/domain/media/video/rung.server.ts";
import { makeSprites } from "#app/domain/media/video/sprites.server.ts";
import type { SoundTrack } from "#app/domain/media/video/tracks.ts";
import type { Transaction } from "#db/client.server.ts";
import { candidateRung, numberIn, planSteps, rungStep, SOURCE_STEP } from "../edit/files/encoding-steps.ts";
import { insertSteps } from "../edit/files/queue-encoding.server.ts";
import { claimFileVersion } from "../edit/files/replace-files.server.ts";
import { TRAILER_STEP } from "../edit/files/trailer-step.server.ts";
import { findSource, readablePath } from "../originals/remake-sources.server.ts";
import type { Claim } from "./claims.server.ts";
import { makeRungStep, makeSoundStep, remuxStep } from "./make-sizes.server.ts";
import { makeTrailer } from "./make-trailer.server.ts";
import {
  type MadeStep,
  madeFile,
  type Owner,
  type Source,
  type StepOptions,
  storedSource,
} from "./step-sources.server.ts";

/** Makes what the step is for, and stores its files, which no row names yet. Throws a VideoError or a Refusal. */
export async function makeStep(claim: Claim, options: StepOptions): Promise<MadeStep> {
  const { step, mediaId, version } = claim;
  if (step === SOURCE_STEP) return readSource(claim, options);
  if (step === TRAILER_STEP) return { files: await makeTrailer(mediaId, options) };
  if (version === null) throw new VideoError("its source was not read yet");
  const source = await storedSource(claim.mediaId);
  const rung = numberIn(step, fileStems.rung);
  if (rung !== null) return makeRungStep({ mediaId, version }, source, rung, options);
  const sound = numberIn(step, fileStems.sound);
  if (sound !== null) return makeSoundStep({ mediaId, version }, source, sound, options);
  const video = numberIn(step, fileStems.video);
  if (video !== null) return remuxStep({ mediaId, version }, source, video, options);
  return makePictures({ mediaId, version, step }, source, options);
}

/** The bytes that a step writes at most. */
export async function mostBytes({ mediaId, step }: Claim): Promise<number> {
  const quality = numberIn(step, fileStems.rung) ?? numberIn(step, fileStems.video);
  const isSound = numberIn(step, fileStems.sound) !== null;
  if (quality === null && !isSound) return 0;
  const { video } = await storedSource(mediaId);
  if (isSound) return mostRungBytes({ ceiling: 0, sound: SEPARATE_SOUND }, video.seconds);
  const rung = planLadder(video).find((each) => each.quality === quality);
  return rung === undefined ? 0 : mostRungBytes(rung, video.seconds);
}

async function readSource({ mediaId }: Claim, { signal, onProgress }: StepOptions): Promise<MadeStep> {
  const found = await findSource({ mediaId, photo: null, group: fileStems.video });
  const path = await readablePath(found, { isChecked: true });
  const inspected = await inspectVideo(path, signal, { mayBeCopied: false });
  const { sounds, gains } = await readSounds(inspected, { signal, onProgress });
  const video = { ...inspected, sounds };
  const lost = inspected.sounds.length - sounds.length;
  const source: Source = { video: { ...video, input: [] }, gains, isOriginal: found.isOriginal };
  const writeFacts = async (tx: Transaction) => {
    const version = await claimFileVersion(mediaId, tx);
    await tx.execute(sql`UPDATE media_encodings SET version = ${version}, source = ${JSON.stringify(source)}::jsonb
      WHERE media_id = ${mediaId}`);
    await insertSteps(tx, mediaId, planSteps({ ...video, sounds: video.sounds.length }, found.isOriginal));
  };
  const leftOut =
    lost > 0
      ? [`audio tracks that cannot be decoded were left out: ${lost} of ${inspected.sounds.length}`]
      : [];
  return { files: [], writeFacts, warnings: [...inspected.warnings, ...leftOut] };
}

/** Those that can be decoded, with their gains. A video whose default sound is damaged fails; another one is left out. */
async function readSounds(
  video: InspectedVideo,
  { signal, onProgress }: Pick<StepOptions, "signal" | "onProgress">,
): Promise<{ sounds: SoundTrack[]; gains: number[] }> {
  const sounds: SoundTrack[] = [];
  const gains: number[] = [];
  for (const [at, sound] of video.sounds.entries()) {
    const report = (part: number) => onProgress((at + part) / video.sounds.length);
    try {
      gains.push(await findGain(video, sound.index, { signal, onProgress: report }));
      sounds.push(sound);
    } catch (error) {
      const isDamaged = error instanceof VideoError && error.message === DAMAGED;
      if (at === 0 || !isDamaged) throw error;
    }
  }
  return { sounds, gains };
}

/** All of them are cut from the smallest or the largest usual rung: that has the colors and the shape already. */
async function makePictures(
  { mediaId, version, step }: Owner & { step: string },
  { video: { seconds, ...video } }: Source,
  { signal, folder, onProgress }: StepOptions,
): Promise<MadeStep> {
  const ladder = planLadder(video);
  const chosen = step === fileStems.candidate ? candidateRung(ladder) : ladder.at(-1);
  if (chosen === undefined) throw new VideoError("it has no ladder");
  const { quality, width, height } = chosen;
  const path = await readablePath(await madeFile(mediaId, rungStep(quality), fileNames.rung(quality)));
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
