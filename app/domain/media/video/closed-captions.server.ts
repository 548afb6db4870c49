import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { DECODING_MEMORY_KB, probeCommand } from "./ffprobe.server.ts";

interface Source {
  /** ffmpeg's name. */
  codec: string | undefined;
  input: string[];
  picture: number;
  seconds: number;
}

/** Other pictures have no captions inside them. Each search is a start of ffprobe, 0.3 s of processor time. */
const WITH_CAPTIONS = new Set(["mpeg1video", "mpeg2video", "h264", "hevc", "vvc", "av1"]);
const NAME = "ATSC A53 Part 4 Closed Captions";
/** Broadcasters send them with each picture, also while nothing is said. */
const PICTURES = 50;
const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Looks at a few pictures at the beginning and in the middle, because no head of a file names them. */
export async function hasClosedCaptions(
  { codec, input, picture, seconds }: Source,
  signal?: AbortSignal,
): Promise<boolean> {
  if (codec === undefined || !WITH_CAPTIONS.has(codec)) return false;
  const parts = `%+#${PICTURES},${(seconds / 2).toFixed(3)}%+#${PICTURES}`;
  const shown = ["-show_entries", "frame_side_data=side_data_type", "-of", "csv=p=0"];
  const args = [
    "-v",
    "quiet",
    "-select_streams",
    String(picture),
    "-read_intervals",
    parts,
    ...shown,
    ...input,
  ];
  try {
    const { stdout } = await promisify(execFile)(...probeCommand(args, DECODING_MEMORY_KB), {
      timeout: TIMEOUT_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
      killSignal: "SIGKILL",
      signal,
    });
    return stdout.includes(NAME);
  } catch (error) {
    if (signal?.aborted) throw error;
    // How much of a damaged video can be decoded is measured elsewhere.
    return String((error as { stdout?: string }).stdout).includes(NAME);
  }
}
