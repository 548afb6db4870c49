import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { config } from "#app/config.server.ts";

export class CaptionsError extends Error {}

export const MAX_CAPTION_BYTES = 5 * 1024 ** 2;

const CONVERT_TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 20 * 1024 ** 2;
const CUE_TIME =
  /^(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})[ \t]+-->[ \t]+(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})(?:[ \t].*)?$/;
const SRT_TIME = /(\d{1,2}:\d{2}:\d{2}),(\d{3})/g;

/** Accepts WebVTT or SubRip in UTF-8, UTF-16 or Windows-1252. Throws a CaptionsError. */
export async function toWebVtt(
  file: Buffer,
  { isSubRip, signal }: { isSubRip: boolean; signal?: AbortSignal },
): Promise<string> {
  const text = decode(file)
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .trim();
  if (!isSubRip && !/^WEBVTT(?:[ \t\n]|$)/.test(text)) {
    throw new CaptionsError("captions must begin with WEBVTT");
  }
  // ffmpeg would repair a broken time by guessing.
  assertCues(isSubRip ? text.replace(SRT_TIME, padHours) : text);
  return isSubRip ? convert(text, signal) : `${text}\n`;
}

function decode(file: Buffer): string {
  const encoding = utf16Of(file) ?? "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(file);
  } catch {
    if (encoding !== "utf-8") throw new CaptionsError("captions are damaged UTF-16");
    return new TextDecoder("windows-1252").decode(file);
  }
}

/** By the byte order mark or, without one, by the first character, which is ASCII in both formats. */
function utf16Of([first, second]: Buffer): "utf-16le" | "utf-16be" | null {
  if ((first === 0xff && second === 0xfe) || second === 0) return "utf-16le";
  return (first === 0xfe && second === 0xff) || first === 0 ? "utf-16be" : null;
}

function assertCues(text: string): void {
  const times = text.split("\n").filter((line) => line.includes("-->"));
  if (times.length === 0) throw new CaptionsError("captions hold no cue");
  for (const time of times) {
    const match = CUE_TIME.exec(time.trim());
    if (!match) throw new CaptionsError(`captions hold an unreadable time: ${time.trim().slice(0, 60)}`);
    const [start, end] = [seconds(match.slice(1, 5)), seconds(match.slice(5, 9))];
    if (end <= start) throw new CaptionsError(`a caption ends before it begins: ${time.trim().slice(0, 60)}`);
  }
}

function padHours(_: string, time: string, milliseconds: string): string {
  return `${time.padStart(8, "0")}.${milliseconds}`;
}

function seconds([hours = "0", minutes, rest, milliseconds]: (string | undefined)[]): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(`${rest}.${milliseconds}`);
}

/** ffmpeg also drops or translates SubRip's markup, which a browser would show as text. */
async function convert(subRip: string, signal?: AbortSignal): Promise<string> {
  const input = ["-protocol_whitelist", "pipe", "-f", "srt", "-i", "pipe:0"];
  const flags = ["-nostdin", "-hide_banner", "-loglevel", "error", "-xerror", "-threads", "1"];
  const running = promisify(execFile)(config.media.ffmpeg, [...flags, ...input, "-f", "webvtt", "pipe:1"], {
    timeout: CONVERT_TIMEOUT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
    killSignal: "SIGKILL",
    signal,
  });
  // The program may exit before it has read everything.
  running.child.stdin?.on("error", () => {}).end(`${subRip}\n`);
  try {
    return (await running).stdout;
  } catch (error) {
    if (signal?.aborted) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      throw new Error("ffmpeg was not found: install it, or set FFMPEG_PATH");
    }
    throw new CaptionsError("captions cannot be converted to WebVTT");
  }
}
