import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { fileNames, fileStems } from "#app/domain/media/renditions.ts";
import { type MediaFileRow, storeMediaFile, storeVideoFile } from "#app/domain/media/store-file.server.ts";
import type { RunOptions } from "#app/domain/media/video/ffmpeg.server.ts";
import { type InspectedVideo, inspectVideo } from "#app/domain/media/video/inspect.server.ts";
import { planLadder } from "#app/domain/media/video/ladder.ts";
import { findGain } from "#app/domain/media/video/loudness.server.ts";
import { PLAYLIST_TYPE } from "#app/domain/media/video/playlist.ts";
import { inputArguments, VideoError } from "#app/domain/media/video/probe.server.ts";
import { remuxVideo } from "#app/domain/media/video/remux.server.ts";
import { makeRung, mostRungBytes } from "#app/domain/media/video/rung.server.ts";
import {
  makeCandidates,
  makeHoverPreview,
  makeSprites,
} from "#app/domain/media/video/small-pictures.server.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { planSteps, qualityIn, rungStep, SOURCE_STEP } from "../edit/files/encoding-steps.ts";
import { insertSteps } from "../edit/files/queue-encoding.server.ts";
import { claimFileVersion } from "../edit/files/replace-files.server.ts";
import { TRAILER_STEP } from "../edit/files/trailer-step.server.ts";
import { findSource, readablePath } from "../originals/remake-sources.server.ts";
import type { Claim, WriteFacts } from "./claims.server.ts";
import { makeTrailer } from "./make-trailer.server.ts";

interface MadeStep {
  files: MediaFileRow[];
  writeFacts?: WriteFacts;
}

/** The findings of the first step. */
interface Source {
  video: InspectedVideo;
  /** Decibels. */
  gain: number;
  isOriginal: boolean;
}

interface Owner {
  mediaId: string;
  version: number;
}

type Options = Required<Pick<RunOptions, "onProgress">> & { signal: AbortSignal; folder: string };

/** Makes what the step is for, and stores its files, which no row names yet. Throws a VideoError or a Refusal. */
export async function makeStep(claim: Claim, options: Options): Promise<MadeStep> {
  const { step, mediaId, version } = claim;
  if (step === SOURCE_STEP) return readSource(claim, options);
  if (step === TRAILER_STEP) return { files: await makeTrailer(mediaId, options) };
  if (version === null) throw new VideoError("its source was not read yet");
  const source = await storedSource(claim.mediaId);
  const rung = qualityIn(step, fileStems.rung);
  if (rung !== null) return makeRungStep({ mediaId, version }, source, rung, options);
  const video = qualityIn(step, fileStems.video);
  if (video !== null) return remuxStep({ mediaId, version }, source, video, options);
  return makePictures({ mediaId, version, step }, source, options);
}

/** The bytes that a step writes at most. */
export async function mostBytes({ mediaId, step }: Claim): Promise<number> {
  const quality = qualityIn(step, fileStems.rung) ?? qualityIn(step, fileStems.video);
  if (quality === null) return 0;
  const { video } = await storedSource(mediaId);
  const rung = planLadder(video).find((each) => each.quality === quality);
  return rung === undefined ? 0 : mostRungBytes(rung, video.seconds);
}

async function readSource({ mediaId }: Claim, { signal, onProgress }: Options): Promise<MadeStep> {
  const found = await findSource({ mediaId, photo: null, group: fileStems.video });
  const path = await readablePath(found, { isChecked: true });
  const video = await inspectVideo(path, signal, { mayBeCopied: false });
  const gain = await findGain(video, { signal, onProgress });
  const source: Source = { video: { ...video, input: [] }, gain, isOriginal: found.isOriginal };
  const writeFacts = async (tx: Transaction) => {
    const version = await claimFileVersion(mediaId, tx);
    await tx.execute(sql`UPDATE media_encodings SET version = ${version}, source = ${JSON.stringify(source)}::jsonb
      WHERE media_id = ${mediaId}`);
    await insertSteps(tx, mediaId, planSteps(video, found.isOriginal));
  };
  return { files: [], writeFacts };
}

async function makeRungStep(
  { mediaId, version }: Owner,
  { video, gain }: Source,
  quality: number,
  { signal, folder, onProgress }: Options,
): Promise<MadeStep> {
  const rung = planLadder(video).find((each) => each.quality === quality);
  if (rung === undefined) throw new VideoError("the size is not in its ladder");
  const path = await readablePath(await findSource({ mediaId, photo: null, group: fileStems.video }));
  const read = { ...video, input: inputArguments(path, video.container) };
  const made = await makeRung(folder, fileNames.rung(quality), read, { rung, gain, signal, onProgress });
  const { width, height } = rung;
  const owner = { mediaId, version, needs: "view", width, height } as const;
  const { bandwidth, codecs } = made;
  return {
    files: [
      await storeMediaFile(
        { path: made.path, move: true },
        { ...owner, name: fileNames.rung(quality), contentType: "video/mp4" },
      ),
      {
        ...(await storeMediaFile(Buffer.from(made.playlist), {
          ...owner,
          name: fileNames.rungPlaylist(quality),
          contentType: PLAYLIST_TYPE,
        })),
        ...{ bandwidth, codecs },
      },
    ],
  };
}

async function remuxStep(
  { mediaId, version }: Owner,
  { video }: Source,
  quality: number,
  { signal, folder, onProgress }: Options,
): Promise<MadeStep> {
  const rung = await madeFile(mediaId, rungStep(quality), fileNames.rung(quality));
  const path = join(folder, fileNames.video(quality));
  const durationSeconds = await remuxVideo(await readablePath(rung), path, {
    ...{ seconds: video.seconds, signal, onProgress },
  });
  const { width = 0, height = 0 } = rung;
  const [best] = planLadder(video);
  const writeFacts = async (tx: Transaction) => {
    if (best?.quality !== quality) return;
    await tx.execute(sql`UPDATE media SET duration_seconds = ${durationSeconds}, width = ${width}, height = ${height}
      WHERE id = ${mediaId} AND (abs(duration_seconds - ${durationSeconds}) > 0.1 OR (width, height)
        IS DISTINCT FROM (${width}::int, ${height}::int))`);
  };
  const file = await storeVideoFile({ path, move: true }, { mediaId, version, width, height });
  return { files: [file], writeFacts };
}

/** All of them are cut from the smallest or the largest rung: that has the colors and the shape already. */
async function makePictures(
  { mediaId, version, step }: Owner & { step: string },
  { video: { seconds, ...video } }: Source,
  { signal, folder, onProgress }: Options,
): Promise<MadeStep> {
  const ladder = planLadder(video);
  const chosen = step === fileStems.candidate ? ladder[0] : ladder.at(-1);
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

async function storedSource(mediaId: string): Promise<Source> {
  const [row] = await db.execute<{ source: Source | null }>(
    sql`SELECT source FROM media_encodings WHERE media_id = ${mediaId}`,
  );
  if (row?.source == null) throw new VideoError("its source was not read yet");
  return row.source;
}

async function madeFile(mediaId: string, step: string, name: string) {
  const [row] = await db.execute<{ made: MediaFileRow[] }>(
    sql`SELECT made FROM media_work WHERE media_id = ${mediaId} AND step = ${step} AND state = 'done'`,
  );
  const file = row?.made.find((each) => each.name === name);
  if (file === undefined) throw new VideoError("a file that it is made of is missing");
  return { ...file, hash: file.sha256 };
}
