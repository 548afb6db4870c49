import { ENDED, runFfmpeg } from "./ffmpeg.server.ts";
import type { FirstField } from "./picture-facts.ts";
import { VideoError } from "./probe.server.ts";

interface Fields {
  firstField: FirstField | null;
  /** Clearly so. If false, a null `firstField` may only mean that little moves. */
  isProgressive: boolean;
}

interface Look extends Fields {
  faults: number;
}

interface Counted {
  tff: number;
  bff: number;
  progressive: number;
}

const SAMPLE_SECONDS = 4;
const SAMPLES = [0.1, 0.5, 0.8];
const SHORT_SECONDS = 15;
const MIN_CLEAR_FRAMES = 8;
/** Fine patterns look like combs in both field orders; real combs have one order. */
const MAX_COMBED_PART = 0.05;
/** The usual 1.04 takes fine patterns for interlacing. */
const DETECTOR = "idet=intl_thres=1.2";

const NONE: Counted = { tff: 0, bff: 0, progressive: 0 };

interface Source {
  input: string[];
  picture: number;
  audio: number | null;
  seconds: number;
}

/** Decodes everything, because files may misstate interlacing. */
export async function decodeWhole(source: Source, signal?: AbortSignal): Promise<Look> {
  return look(source, [], [source.picture, ...(source.audio === null ? [] : [source.audio])], signal);
}

export async function sampleFields(source: Source, signal?: AbortSignal): Promise<Fields> {
  const starts = source.seconds <= SHORT_SECONDS ? [0] : SAMPLES.map((part) => source.seconds * part);
  const found = new Set<FirstField>();
  let isProgressive = true;
  for (const start of starts) {
    const length = starts.length === 1 ? SHORT_SECONDS : SAMPLE_SECONDS;
    const part = ["-ss", start.toFixed(3), "-t", String(length)];
    const seen = await look(source, start === 0 ? part.slice(2) : part, [source.picture], signal);
    if (seen.firstField) found.add(seen.firstField);
    isProgressive &&= seen.isProgressive;
  }
  // Drawn combs, such as fences, change their order between samples.
  return { firstField: found.size === 1 ? ([...found][0] ?? null) : null, isProgressive };
}

async function look(
  { input, seconds }: Source,
  part: string[],
  tracks: number[],
  signal?: AbortSignal,
): Promise<Look> {
  const counted = { Single: NONE, Multi: NONE };
  const onReport = (line: string) => {
    const [, kind, tff, bff, progressive] =
      /(Single|Multi) frame detection: TFF:\s*(\d+) BFF:\s*(\d+) Progressive:\s*(\d+)/.exec(line) ?? [];
    // The last report counts: ffmpeg also reports an empty picture before the first one.
    if (kind === "Single" || kind === "Multi")
      counted[kind] = { tff: Number(tff), bff: Number(bff), progressive: Number(progressive) };
  };
  const maps = tracks.flatMap((index) => ["-map", `0:${index}`]);
  const args = [...part, ...input, ...maps, "-vf", DETECTOR, "-f", "null", "-"];
  try {
    const { faults } = await runFfmpeg(args, seconds, { signal, onReport });
    return { faults, firstField: firstFieldOf(counted.Multi), isProgressive: isProgressive(counted.Single) };
  } catch (error) {
    // The encoding will show whether enough can be decoded.
    if (error instanceof VideoError && error.message !== ENDED)
      return { faults: 1, firstField: null, isProgressive: false };
    throw error;
  }
}

function isProgressive({ tff, bff, progressive }: Counted): boolean {
  return progressive >= MIN_CLEAR_FRAMES && Math.abs(tff - bff) <= progressive * MAX_COMBED_PART;
}

function firstFieldOf(counted: Counted): FirstField | null {
  const firstField = counted.tff > counted.bff ? "tff" : "bff";
  const [most, fewest] = [Math.max(counted.tff, counted.bff), Math.min(counted.tff, counted.bff)];
  const isClear = most >= MIN_CLEAR_FRAMES && most >= 4 * fewest && most > counted.progressive;
  return isClear ? firstField : null;
}
