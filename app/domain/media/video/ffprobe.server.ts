import { config } from "#app/config.server.ts";
import { OOM_KILLED_FIRST } from "../limited-program.server.ts";

/** An index that lists millions of pictures took 2.8 GB for a file of 24 kB. Eight hours of an honest one take 0.15 GB. */
const MEMORY_KB = 512 * 1024;
/** The shell limits itself and then becomes the program, since Node cannot limit a child. */
const LIMITED = `${OOM_KILLED_FIRST}; ulimit -d "$1"; shift; exec "$@"`;
/** The shell's status when it finds no such program. */
export const NOT_FOUND = 127;

/** A command that runs ffprobe with a limit on its memory. */
export function probeCommand(args: string[]): [command: string, args: string[]] {
  return ["/bin/sh", ["-c", LIMITED, "sh", String(MEMORY_KB), config.media.ffprobe, ...args]];
}
