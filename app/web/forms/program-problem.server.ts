import { BulkheadRejectedError } from "cockatiel";
import { PictureProgramError } from "#app/domain/media/picture-program.server.ts";
import { VideoError } from "#app/domain/media/video/probe.server.ts";

export const BUSY = "Other pictures are being processed. Please try again in a minute.";

/** A sentence about a picture that could not be made; null for a fault of the site. */
export function programProblem(error: unknown): string | null {
  if (error instanceof BulkheadRejectedError) return BUSY;
  if (!(error instanceof PictureProgramError || error instanceof VideoError)) return null;
  return `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
}
