import { lstat, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { config } from "#app/config.server.ts";
import { EMPTY_FILE, FILE_LIMITS, largerThan } from "#app/file-limits.ts";
import { inTemporaryFolder } from "../storage/temporary.server.ts";
import { storeCaptions, storeVideoFile } from "../store-file.server.ts";
import { storeCover, storePoster } from "../store-picture.server.ts";
import { type InspectedVideo, inspectVideo } from "../video/inspect.server.ts";
import { originalFacts } from "../video/original-facts.ts";
import { makePoster, makeSourcePoster } from "../video/poster.server.ts";
import { planFirst } from "../video/renditions-plan.ts";
import { chooseTexts } from "../video/tracks.ts";
import { makeVideo } from "../video/transcode.server.ts";
import { CaptionsError, TOO_LARGE, toWebVtt } from "./captions/captions.ts";
import { type Captions, readInsideCaptions } from "./captions/inside-captions.server.ts";
import { mediaIdOf } from "./content-id.server.ts";
import { keepOriginal } from "./keep-original.server.ts";
import type { PreparedMedia, PrepareOptions } from "./prepare.ts";
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
  await inTemporaryFolder(config.media.dir, (folder) => makeWatchable(folder, { found, video }, options));
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
  return inTemporaryFolder(config.media.dir, async (folder) => {
    const { path, poster, planned, durationSeconds } = await makeWatchable(folder, { found, video }, options);
    const { width, height } = planned;
    const file = await storeVideoFile({ path, move: true }, { mediaId, width, height });
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
      },
      photos: [],
    };
  });
}

/** A copy if browsers play the source; otherwise the smallest size, which is the fastest. */
async function makeWatchable(
  folder: string,
  { found, video }: { found: FoundVideo; video: InspectedVideo },
  { signal, onProgress, onWarning }: PrepareOptions,
) {
  const planned = planFirst(video, (await stat(found.path)).size);
  const path = join(folder, "first.mp4");
  const poster = join(folder, "poster.png");
  const { durationSeconds, faults } = await makeVideo(path, video, planned, { signal, onProgress });
  if (faults > 0) onWarning(FAULTY);
  const isWhole = planned.width >= video.width - 1;
  const isMade = !isWhole && (await makeSourcePoster(video, poster, durationSeconds, signal));
  if (!isMade) await makePoster(path, poster, durationSeconds, signal);
  return { path, poster, planned, durationSeconds };
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
