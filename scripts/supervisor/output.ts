import { openOutput } from "#app/log.server.ts";

const MAX_WAITING_BYTES = 4_000_000;

const output = openOutput({ isWaiting: false, maxLength: MAX_WAITING_BYTES });
// Lines that a lost reader has not read are dropped.
output.on("error", () => {});

/** Prints what other programs say; when nobody reads for long, it is lost, and the site goes on. */
export function printText(text: string): void {
  output.write(text);
}
