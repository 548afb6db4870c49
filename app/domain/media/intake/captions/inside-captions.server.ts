import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { config } from "#app/config.server.ts";
import { readingLimitMs } from "../../video/packets.server.ts";
import { VideoError } from "../../video/probe.server.ts";
import type { TextTrack } from "../../video/tracks.ts";
import { CaptionsError, MAX_CAPTION_BYTES, TOO_LARGE, toWebVtt } from "./captions.ts";

interface Source {
  path: string;
  /** Arguments that make ffmpeg read it. */
  input: string[];
}

export interface Captions {
  language: string;
  label: string;
  vtt: string;
}

/** SubRip is copied with its markup, which toWebVtt() reads; the others become SubRip. */
const FORMATS: Record<string, string[]> = {
  webvtt: ["-c:s", "copy", "-f", "webvtt"],
  subrip: ["-c:s", "copy", "-f", "srt"],
  text: ["-c:s", "copy", "-f", "srt"],
};
const CONVERTED = ["-c:s", "srt", "-f", "srt"];

/** Reads the file once for all tracks; `notes` say what was left out. */
export async function readInsideCaptions(
  source: Source,
  tracks: TextTrack[],
  signal?: AbortSignal,
): Promise<{ captions: Captions[]; notes: string[] }> {
  const captions: Captions[] = [];
  const notes: string[] = [];
  const texts = tracks.length === 0 ? [] : await readTexts(source, tracks, signal);
  for (const [index, { language, label }] of tracks.entries()) {
    try {
      const text = texts[index];
      if (!text) throw new CaptionsError(TOO_LARGE);
      const read = toWebVtt(text, { language });
      captions.push({ language, label, vtt: read.vtt });
      notes.push(...read.notes.map((note) => `captions inside it: ${label}: ${note}`));
    } catch (error) {
      if (!(error instanceof CaptionsError)) throw error;
      notes.push(`captions inside it were left out: ${label}: ${error.message}`);
    }
  }
  return { captions, notes };
}

/** A pipe for each track, because a film is read from end to end for its captions. */
async function readTexts(
  { path, input }: Source,
  tracks: TextTrack[],
  signal?: AbortSignal,
): Promise<(Buffer | null)[]> {
  const outputs = tracks.flatMap(({ index, codec }, position) => [
    ...["-map", `0:${index}`, "-map_metadata", "-1", ...(FORMATS[codec] ?? CONVERTED)],
    `pipe:${FIRST_PIPE + position}`,
  ]);
  const child = spawn(config.media.ffmpeg, ["-nostdin", "-v", "quiet", "-y", ...input, ...outputs], {
    stdio: ["ignore", "ignore", "ignore", ...tracks.map(() => "pipe" as const)],
    timeout: await readingLimitMs(path),
    killSignal: "SIGKILL",
    signal,
  });
  const pipes = child.stdio.slice(FIRST_PIPE) as Readable[];
  const [texts, [, killedBy]] = await Promise.all([Promise.all(pipes.map(readUpTo)), once(child, "close")]);
  if (killedBy) throw new VideoError("it took too long to read");
  return texts;
}

/** Null when there is more than captions may have. */
async function readUpTo(pipe: Readable): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of pipe as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_CAPTION_BYTES) chunks.push(chunk);
  }
  return bytes > MAX_CAPTION_BYTES ? null : Buffer.concat(chunks);
}

/** After input, output and errors. */
const FIRST_PIPE = 3;
