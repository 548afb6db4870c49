import { lstat, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { config } from "#app/config.server.ts";
import { EMPTY_FILE, FILE_LIMITS, largerThan } from "#app/file-limits.ts";
import type { OriginalProbe } from "#db/schema/catalog-files.ts";
import { inTemporaryFolder } from "../storage/temporary.server.ts";
import { storeCaptions, storeVideoFile } from "../store-file.server.ts";
import { storeCover, storePoster } from "../store-picture.server.ts";
import type { RunOptions } from "../video/ffmpeg.server.ts";
import { type InspectedVideo, inspectVideo } from "../video/inspect.server.ts";
import { planLadder } from "../video/ladder.ts";
import { findGain } from "../video/loudness.server.ts";
import { rotationOf } from "../video/picture-facts.ts";
import { makePoster, makeSourcePoster } from "../video/poster.server.ts";
import { remuxVideo } from "../video/remux.server.ts";
import { type PlannedVideo, planFirst } from "../video/renditions-plan.ts";
import { makeRungs } from "../video/rung.server.ts";
import { storeRungs } from "../video/store-rung.server.ts";
import { chooseTexts } from "../video/tracks.ts";
import { makeVideo } from "../video/transcode.server.ts";
import { CaptionsError, TOO_LARGE, toWebVtt } from "./captions/captions.ts";
import { type Captions, readInsideCaptions } from "./captions/inside-captions.server.ts";
import { mediaIdOf } from "./content-id.server.ts";
import { keepOriginal } from "./keep-original.server.ts";
import { FIRST_RUN_VERSION, type PreparedMedia, type PrepareOptions } from "./prepare.ts";
import { diskReason, ImportRefusal, LINK, NO_FILE, readSource, refusalOf } from "./refusal.ts";
import type { FoundVideo } from "./scan.server.ts";
import type { CaptionsFile } from "./sidecar.ts";

const FAULTY = "damaged in places: nearly all of it plays, but the picture or audio may stutter there";

interface CheckedVideo {
  video: InspectedVideo;
  captions: Captions[];
}

export async function checkVideoSize({ path, label, sidecar }: FoundVideo): Promise<number> {
  if (sidecar.photos) throw new ImportRefusal(label, "a video cannot have photos");
  const { size } = await readSource(label, () => stat(path));
  if (size === 0) throw new ImportRefusal(label, EMPTY_FILE);
  if (size > FILE_LIMITS.video) throw new ImportRefusal(label, largerThan(FILE_LIMITS.video));
  return size;
}

export async function dryRunVideo(found: FoundVideo, options: PrepareOptions): Promise<void> {
  const { video } = await checkVideo(found, options);
  await inTemporaryFolder(config.media.workDir, (folder) => makeWatchable(folder, video, options));
}

/**
 * Stores one file that can be watched at once, with poster, cover and captions, but no rows. Always keeps the original, from
 * which the worker makes the rest. Throws an ImportRefusal or a VideoError.
 */
export async function prepareVideo(
  found: FoundVideo,
  contentHash: string,
  options: PrepareOptions,
): Promise<PreparedMedia> {
  const { video, captions } = await checkVideo(found, options);
  const mediaId = mediaIdOf(contentHash);
  const source = { ...found, sha256: contentHash };
  const facts = { mediaId, photoNumber: null, probe: originalFacts(video) };
  const originals = await keepOriginal(source, facts, { isNeededLater: true });
  options.signal.throwIfAborted();
  return inTemporaryFolder(config.media.workDir, async (folder) => {
    const { path, poster, planned, durationSeconds, ladder } = await makeWatchable(folder, video, options);
    const { width, height } = planned;
    const version = ladder === null ? 0 : FIRST_RUN_VERSION;
    const file = await storeVideoFile({ path, move: true }, { mediaId, version, width, height });
    const rungs = await storeRungs(ladder?.made ?? [], { mediaId, version });
    const cover = await storeCover(poster, { mediaId, type: "video" });
    const files = [file, ...(await storePoster(poster, { mediaId }))];
    for (const caption of captions) files.push(await storeCaptions(caption.vtt, { mediaId, ...caption }));
    return {
      mediaId,
      contentHash,
      color: cover.color,
      ...{ width, height },
      files: [...files, ...cover.files],
      originals,
      video: {
        durationSeconds,
        hasAudio: video.audio !== null,
        markers: video.markers,
        isOriginalTemporary: !config.media.keepsOriginals,
        begun: ladder && { video, gains: ladder.gains, files: [...rungs, file] },
      },
      photos: [],
    };
  });
}

/** What is kept must name no person and no place. */
function originalFacts(video: InspectedVideo): OriginalProbe {
  const { container, tracks, width, height, seconds } = video;
  const [picture, audio] = [video.picture, video.audio].map((index) =>
    tracks.find((track) => track.index === index),
  );
  return {
    kind: "video",
    container,
    codec: picture?.codec_name ?? "unknown",
    pixelFormat: picture?.pix_fmt ?? null,
    ...{ width, height, seconds },
    rotation: picture === undefined ? 0 : rotationOf(picture),
    sound: audio?.codec_name ?? null,
  };
}

/** A copy if browsers play the source, or else the smallest size, which is made fastest. `ladder`: its part that exists then. */
async function makeWatchable(
  folder: string,
  video: InspectedVideo,
  { signal, onProgress, onWarning }: PrepareOptions,
) {
  const planned = planFirst(video);
  const path = join(folder, "first.mp4");
  const poster = join(folder, "poster.png");
  const begun = mayBeginLadder(video, planned)
    ? await beginLadder(path, video, { folder, signal, onProgress })
    : null;
  const { durationSeconds, faults } =
    begun ?? (await makeVideo(path, video, planned, { signal, onProgress }));
  if (faults > 0) onWarning(FAULTY);
  const isFullSize = planned.width >= video.width - 1;
  const isMade = !isFullSize && (await makeSourcePoster(video, poster, durationSeconds, signal));
  if (!isMade) await makePoster(path, poster, durationSeconds, signal);
  return { path, poster, planned, durationSeconds, ladder: begun };
}

/** With several audio tracks, the sizes of a ladder have no audio. */
function mayBeginLadder({ audioTracks }: InspectedVideo, { isCopy }: PlannedVideo): boolean {
  return !isCopy && audioTracks.length <= 1;
}

/** Makes the ladder's smallest size, and an MP4 of it: decision 215. */
async function beginLadder(
  target: string,
  video: InspectedVideo,
  { folder, signal, onProgress }: RunOptions & { folder: string },
) {
  const { audio, seconds } = video;
  const gains = audio === null ? [] : [await findGain(video, audio, { signal })];
  const rungs = planLadder(video).slice(-1);
  const { made, faults } = await makeRungs(folder, video, { rungs, gain: gains[0] ?? 0, signal, onProgress });
  const source = made[0]?.path ?? "";
  const durationSeconds = await remuxVideo(source, target, { audio: null, seconds, signal });
  return { made, gains, faults, durationSeconds };
}

/** Captions beside the video win over those inside it. Unreadable ones are left out with a warning. */
async function checkVideo(
  found: FoundVideo,
  { signal, onWarning, onInspected }: PrepareOptions,
): Promise<CheckedVideo> {
  const video = await inspectVideo(found.path, signal);
  onInspected?.(video.seconds);
  const captions: Captions[] = [];
  for (const named of found.sidecar.captions ?? []) {
    const label = join(dirname(found.label), named.file);
    try {
      const { vtt, notes } = await readCaptions(found, named);
      captions.push({ language: named.language, label: named.label, vtt });
      for (const note of notes) onWarning(note, label);
    } catch (error) {
      onWarning(`these captions were left out: ${reasonOf(error)}`, label);
    }
  }
  const taken = captions.map(({ language }) => language);
  const { texts, leftOut } = chooseTexts(video.tracks, taken);
  const inside = await readInsideCaptions(video, texts, signal);
  for (const warning of [...video.warnings, ...leftOut, ...inside.notes]) onWarning(warning);
  return { video, captions: [...captions, ...inside.captions] };
}

async function readCaptions({ path }: FoundVideo, { file, language, encoding }: CaptionsFile) {
  const captions = join(dirname(path), file);
  const facts = await lstat(captions);
  if (facts.isSymbolicLink()) throw new CaptionsError(LINK);
  // Reading a pipe would never end.
  if (!facts.isFile() && !facts.isDirectory()) throw new CaptionsError(NO_FILE);
  if (facts.size > FILE_LIMITS.captions) throw new CaptionsError(TOO_LARGE);
  return toWebVtt(await readFile(captions), { language, encoding });
}

function reasonOf(error: unknown): string {
  if (error instanceof CaptionsError) return error.message;
  return (error as NodeJS.ErrnoException).code === "ENOENT"
    ? "there is no such file"
    : (diskReason(error) ?? refusalOf(error, "").message);
}
