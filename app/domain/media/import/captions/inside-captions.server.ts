import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { config } from "#app/config.server.ts";
import { FILE_LIMITS, largerThan } from "#app/file-limits.ts";
import { inTemporaryFolder } from "../../storage/temporary.server.ts";
import { DAMAGED, runFfmpeg } from "../../video/ffmpeg.server.ts";
import { VideoError } from "../../video/probe.server.ts";
import type { TextTrack } from "../../video/tracks.ts";
import { CaptionsError, TOO_LARGE, toWebVtt } from "./captions.ts";
import { subStationToSubRip } from "./substation.ts";

interface Source {
  input: string[];
  seconds: number;
}

export interface Captions {
  language: string;
  label: string;
  vtt: string;
}

const SUBSTATION = ["-c:s", "copy", "-f", "ass"];
/** Other formats become SubRip, whose markup toWebVtt() reads. ffmpeg would turn comments of SubStation into captions. */
const FORMATS: Record<string, string[]> = {
  webvtt: ["-c:s", "copy", "-f", "webvtt"],
  subrip: ["-c:s", "copy", "-f", "srt"],
  text: ["-c:s", "copy", "-f", "srt"],
  ass: SUBSTATION,
  ssa: SUBSTATION,
};
const CONVERTED = ["-c:s", "srt", "-f", "srt"];
/** Captions stay in memory until they are stored. */
const MAX_TOGETHER = 4 * FILE_LIMITS.captions;
const TOGETHER_TOO_LARGE = `all captions together are ${largerThan(MAX_TOGETHER)}`;
/** ffmpeg writes one packet past its limit. */
const PAST_LIMIT = ["-fs", String(FILE_LIMITS.captions + 1)];
/** In case ffmpeg ignores its own limit. */
const MAX_OUTPUT_BYTES = 64 * 1024 ** 2;

/** `notes`: what was left out. Throws a VideoError. */
export async function readInsideCaptions(
  source: Source,
  tracks: TextTrack[],
  signal?: AbortSignal,
): Promise<{ captions: Captions[]; notes: string[] }> {
  if (tracks.length === 0) return { captions: [], notes: [] };
  return inTemporaryFolder(config.media.workDir, async (folder) => {
    await writeTexts(source, tracks, { folder, signal });
    return readTexts(tracks, folder);
  });
}

/** One run for all tracks, because it reads the whole video. */
async function writeTexts(
  { input, seconds }: Source,
  tracks: TextTrack[],
  { folder, signal }: { folder: string; signal: AbortSignal | undefined },
): Promise<void> {
  const outputs = tracks.flatMap(({ index, codec }) => [
    ...["-map", `0:${index}`, "-map_metadata", "-1", ...(FORMATS[codec] ?? CONVERTED), ...PAST_LIMIT],
    `file:${index}`,
  ]);
  try {
    await runFfmpeg(["-y", ...input, ...outputs], seconds, {
      folder,
      ...(signal && { signal }),
      maxOutputBytes: MAX_OUTPUT_BYTES,
    });
  } catch (error) {
    // What was written before the damage is read.
    if (!(error instanceof VideoError) || error.message !== DAMAGED) throw error;
  }
}

async function readTexts(tracks: TextTrack[], folder: string) {
  const captions: Captions[] = [];
  const notes: string[] = [];
  let together = 0;
  for (const { index, codec, language, label } of tracks) {
    try {
      const text = await readText(join(folder, String(index)), codec);
      if (together + text.length > MAX_TOGETHER) throw new CaptionsError(TOGETHER_TOO_LARGE);
      together += text.length;
      const read = toWebVtt(text, { language });
      captions.push({ language, label, vtt: read.vtt });
      notes.push(...read.notes.map((note) => `embedded captions: ${label}: ${note}`));
    } catch (error) {
      if (!(error instanceof CaptionsError)) throw error;
      notes.push(`embedded captions were left out: ${label}: ${error.message}`);
    }
  }
  return { captions, notes };
}

async function readText(path: string, codec: string): Promise<Buffer> {
  const { size } = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return { size: 0 };
    throw error;
  });
  if (size > FILE_LIMITS.captions) throw new CaptionsError(TOO_LARGE);
  const file = size === 0 ? Buffer.alloc(0) : await readFile(path);
  return FORMATS[codec] === SUBSTATION ? Buffer.from(subStationToSubRip(file.toString())) : file;
}
