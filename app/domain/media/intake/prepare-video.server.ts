import { mkdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { config } from "#app/config.server.ts";
import { temporaryPath } from "../storage/temporary.server.ts";
import { storeCover, storePoster } from "../store-picture.server.ts";
import { storeCaptions, storeVideoFile } from "../store-video.server.ts";
import { type ProbedVideo, probeVideo } from "../video/probe.server.ts";
import { planVideos } from "../video/renditions-plan.ts";
import { makePoster, makeVideo } from "../video/transcode.server.ts";
import { CaptionsError, toWebVtt } from "./captions.ts";
import { mediaIdOf } from "./content-id.server.ts";
import type { PreparedMedia, PrepareOptions } from "./prepare.ts";
import { diskReason, Refusal, readSource, refusalOf } from "./refusal.ts";
import type { FoundVideo } from "./scan.server.ts";
import type { CaptionsFile } from "./sidecar.ts";

const MAX_BYTES = 64 * 1024 ** 3;
const MAX_CAPTION_BYTES = 5 * 1024 ** 2;

interface CheckedVideo {
  probed: ProbedVideo;
  captions: { language: string; label: string; vtt: string }[];
}

/** Runs before the file is read. Throws a Refusal. */
export async function checkVideoSize({ path, label }: FoundVideo): Promise<void> {
  const { size } = await readSource(label, () => stat(path));
  if (size === 0) throw new Refusal(label, "the file is empty");
  if (size > MAX_BYTES) throw new Refusal(label, `larger than ${MAX_BYTES / 1024 ** 3} GB`);
}

/** Captions that cannot be read are left out with a warning. */
async function checkVideo(found: FoundVideo, { signal, onWarning }: PrepareOptions): Promise<CheckedVideo> {
  const probed = await probeVideo(found.path, signal);
  const captions = [];
  for (const named of found.sidecar.captions ?? []) {
    const label = join(dirname(found.label), named.file);
    try {
      const { vtt, notes } = await readCaptions(found, named);
      captions.push({ language: named.language, label: named.label, vtt });
      for (const note of notes) onWarning(note, label);
    } catch (error) {
      onWarning(`the video has no such captions: ${reasonOf(error)}`, label);
    }
  }
  return { probed, captions };
}

/** Makes the poster and the smallest file as prepareVideo() does, and keeps neither. Throws a Refusal or a VideoError. */
export async function rehearseVideo(found: FoundVideo, options: PrepareOptions): Promise<void> {
  const { probed } = await checkVideo(found, options);
  const smallest = planVideos(probed).slice(-1);
  await inTemporaryFolder(async (folder) => {
    const made = join(folder, "smallest.mp4");
    for (const planned of smallest) {
      await makeVideo(found.path, made, probed, planned, options);
      await makePoster(made, join(folder, "poster.png"), probed.durationSeconds, options.signal);
    }
  });
}

export async function prepareVideo(
  found: FoundVideo,
  contentHash: string,
  options: PrepareOptions,
): Promise<PreparedMedia> {
  const { signal, onProgress } = options;
  const { probed, captions } = await checkVideo(found, options);
  const mediaId = mediaIdOf(contentHash);
  const plan = planVideos(probed);
  return inTemporaryFolder(async (folder) => {
    const files = [];
    const poster = join(folder, "poster.png");
    for (const [index, planned] of plan.entries()) {
      const made = join(folder, `${index}.mp4`);
      await makeVideo(found.path, made, probed, planned, {
        signal,
        onProgress: (part) => onProgress((index + part) / plan.length),
      });
      if (index === 0) await makePoster(made, poster, probed.durationSeconds, signal);
      files.push(await storeVideoFile({ path: made, move: true }, { mediaId, ...planned }));
    }
    const cover = await storeCover(poster, { mediaId, type: "video" });
    files.push(...(await storePoster(poster, { mediaId })));
    for (const caption of captions) files.push(await storeCaptions(caption.vtt, { mediaId, ...caption }));
    const [best = probed] = plan;
    return {
      mediaId,
      contentHash,
      color: cover.color,
      width: best.width,
      height: best.height,
      files: [...files, ...cover.files],
      video: { durationSeconds: probed.durationSeconds, hasAudio: probed.audio !== null },
      photos: [],
    };
  });
}

async function inTemporaryFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await temporaryPath(config.media.dir);
  await mkdir(folder);
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readCaptions({ path }: FoundVideo, { file, language, encoding }: CaptionsFile) {
  const captions = join(dirname(path), file);
  const { size } = await stat(captions);
  if (size > MAX_CAPTION_BYTES) throw new CaptionsError("larger than 5 MB");
  return toWebVtt(await readFile(captions), { language, encoding });
}

function reasonOf(error: unknown): string {
  if (error instanceof CaptionsError) return error.message;
  return (error as NodeJS.ErrnoException).code === "ENOENT"
    ? "there is no such file"
    : (diskReason(error) ?? refusalOf(error, "").message);
}
