// Needed because an upload of 0.7 MB took a web process from 158 to 357 MB: decision 096.
import { bulkhead } from "cockatiel";
import { z } from "zod";
import { type Limits, runLimited } from "./limited-program.server.ts";
import { type MadePhoto, type MadePicture, REFUSED_STATUS } from "./made-picture.ts";

/** Its message is for people. A PictureError would load the decoder into web processes. */
export class PictureProgramError extends Error {}

const LIMITS: Limits = {
  /** The worst of those tried, an AVIF picture of nine megapixels, takes 218 MB. */
  memoryKb: 350 * 1024,
  /** The worst, a print photo of 20 megapixels, takes about three seconds. */
  cpuSeconds: 15,
  timeoutMs: 60_000,
};
const MAX_WAITING = 10;

/** A worker that runs from its sources has no import.meta.env. */
export const PICTURE_PROGRAM =
  (import.meta.env?.DEV ?? true) ? "scripts/make-picture.ts" : "build/scripts/make-picture.js";

const decoding = bulkhead(1, MAX_WAITING);
/** A photo of a set takes up to a minute, and no profile picture should wait for it. */
const decodingItems = bulkhead(1, MAX_WAITING);

interface ProgramOptions extends Partial<Limits> {
  options?: string[];
}

/** Throws a PictureProgramError, or cockatiel's BulkheadRejectedError when too many wait. */
export function runPictureProgram(
  kind: "avatar" | "portrait" | "site" | "photo" | "cover",
  bytes: Uint8Array,
  { options = [], ...limits }: ProgramOptions = {},
): Promise<Buffer> {
  const turn = kind === "photo" || kind === "cover" ? decodingItems : decoding;
  return turn.execute(() => run([PICTURE_PROGRAM, kind, ...options], bytes, { ...LIMITS, ...limits }));
}

async function run(program: string[], bytes: Uint8Array, limits: Limits): Promise<Buffer> {
  const { exitCode, stdout, stderr } = await runLimited(program, bytes, limits);
  if (exitCode === 0) return stdout;
  throw new PictureProgramError(exitCode === REFUSED_STATUS ? stderr : "the picture could not be unpacked");
}

const MAX_NAME = 100;
const MAX_DATA = 90_000_000;

const image = z.object({
  name: z.string().max(MAX_NAME, { abort: true }),
  contentType: z.string().max(MAX_NAME, { abort: true }),
  width: z.number(),
  height: z.number(),
  data: z
    .string()
    .max(MAX_DATA, { abort: true })
    .transform((text) => Buffer.from(text, "base64")),
});
const picture = z.object({ color: z.string().max(MAX_NAME, { abort: true }), images: z.array(image) });
const photo = picture.extend({
  width: z.number(),
  height: z.number(),
  widest: z.number(),
  format: z.string().max(MAX_NAME, { abort: true }),
});

export function readMade(output: Buffer): MadePicture {
  return readAs(picture, output);
}

export function readMadePhoto(output: Buffer): MadePhoto {
  return readAs(photo, output);
}

function readAs<Made>(schema: z.ZodType<Made>, output: Buffer): Made {
  const read = schema.safeParse(JSON.parse(output.toString("utf8")));
  if (!read.success) throw new PictureProgramError("the files made from the picture are too large");
  return read.data;
}
