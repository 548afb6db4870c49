import { spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { measureTrack, type TrackTimes } from "./packet-times.ts";
import { probeCommand, VideoError } from "./probe.server.ts";

export interface ReadPackets {
  tracks: Map<number, TrackTimes>;
  isCutOff: boolean;
}

const MIN_LIMIT_SECONDS = 120;
/** A slow network disk. */
const MIN_BYTES_PER_SECOND = 5_000_000;
const FIELDS = "packet=stream_index,pts_time,dts_time,duration_time,flags";

/** A whole number, which spawn() requires. */
export async function readingLimitMs(path: string): Promise<number> {
  const { size } = await stat(path);
  return Math.ceil(Math.max(MIN_LIMIT_SECONDS, size / MIN_BYTES_PER_SECOND) * 1000);
}

export async function readPackets(
  { path, input }: { path: string; input: string[] },
  { mayJump, signal }: { mayJump: boolean; signal?: AbortSignal },
): Promise<ReadPackets> {
  const flags = ["-v", "error", "-show_entries", FIELDS, "-of", "csv=p=0"];
  const child = spawn(...probeCommand([...flags, ...input]), {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: await readingLimitMs(path),
    killSignal: "SIGKILL",
    signal,
  });
  const meters = new Map<number, ReturnType<typeof measureTrack>>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    // A packet's other lines hold side data.
    const [index, shown, decoded, duration, packetFlags] = line.split(",");
    if (!index || packetFlags === undefined) return;
    const meter = meters.get(Number(index)) ?? measureTrack({ mayJump });
    meters.set(Number(index), meter);
    meter.add({
      shown: secondsIn(shown),
      decoded: secondsIn(decoded),
      duration: secondsIn(duration),
      isKey: packetFlags.startsWith("K"),
    });
  });
  let isCutOff = false;
  createInterface({ input: child.stderr }).on("line", (line) => {
    if (/ended prematurely/.test(line)) isCutOff = true;
  });
  await ended(child, signal);
  return { tracks: new Map([...meters].map(([index, meter]) => [index, meter.end()])), isCutOff };
}

function ended(child: ReturnType<typeof spawn>, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | null = null;
    child.on("error", (error) => {
      failure = error;
      if (child.pid === undefined) reject(error);
    });
    child.on("close", (_code, killedBy) => {
      if (signal?.aborted && failure) reject(failure);
      else if (killedBy) reject(new VideoError("it took too long to read"));
      // ffprobe fails at a damaged end, but what it read before counts.
      else resolve();
    });
  });
}

function secondsIn(text: string | undefined): number | null {
  const seconds = Number.parseFloat(text ?? "");
  return Number.isNaN(seconds) ? null : seconds;
}
