import { config } from "#app/config.server.ts";
import { OOM_KILLED_FIRST } from "../limited-program.server.ts";

/** A 24 kB file whose index lists millions of pictures took 2.8 GB. Eight honest hours take 0.15 GB. */
const MEMORY_KB = 512 * 1024;
/** The shell limits itself and then becomes the program, because Node cannot limit a child. */
const LIMITED = `${OOM_KILLED_FIRST}; ulimit -d "$1"; shift; exec "$@"`;
export const NOT_FOUND = 127;

export function probeCommand(args: string[]): [command: string, args: string[]] {
  return ["/bin/sh", ["-c", LIMITED, "sh", String(MEMORY_KB), config.media.ffprobe, ...args]];
}
