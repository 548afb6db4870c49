import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { ITEM_PICTURE_LIMITS } from "../item-pictures.server.ts";
import { startLimited } from "../limited-program.server.ts";
import type { MadeImage, MadePhoto, MadePicture } from "../made-picture.ts";
import { PictureError } from "../picture.server.ts";
import { PICTURE_PROGRAM } from "../picture-program.server.ts";

/** A line of the program's input. `folder` is for the files that it makes. */
export type PictureJob =
  | { kind: "check"; path: string }
  | { kind: "cover"; path: string; folder: string }
  | { kind: "photo"; path: string; folder: string; number: number };

interface MadeFiles {
  /** Moved when they are stored. */
  images: (Omit<MadeImage, "data"> & { data: { path: string; move: true } })[];
}

/** Each throws a PictureError. A picture may end the program; the next one gets a new program. */
export interface SetPictures {
  /** Resolves with a warning, or null. */
  check(path: string): Promise<string | null>;
  makeCover(path: string, folder: string): Promise<Omit<MadePicture, "images"> & MadeFiles>;
  makePhoto(path: string, folder: string, number: number): Promise<Omit<MadePhoto, "images"> & MadeFiles>;
}

/** While two encodings run, the largest photo takes about ten seconds. */
const WITHIN_MS = 300_000;
export const NOT_UNPACKED = "the picture could not be unpacked, or the server had too little memory for it";
/** To check each photo, to make it, and to make the cover from the first. */
const TIMES_DECODED = 3;

const text = z.string().max(1_000, { abort: true });

const image = z.object({ name: text, contentType: text, width: z.number(), height: z.number() });
const cover = z.object({ color: text, images: z.array(image) });
const facts = { width: z.number(), height: z.number(), widest: z.number(), format: text };
const answers = {
  check: z.object({ warning: text.nullable() }),
  cover,
  photo: cover.extend(facts),
};
const refusal = z.object({ refused: text });

/** One limited program decodes all pictures of a set, because its start takes longer than a small picture: decision 176. */
export async function withSetPictures<Result>(
  { count, signal }: { count: number; signal: AbortSignal },
  use: (pictures: SetPictures) => Promise<Result>,
): Promise<Result> {
  const start = () => startProgram(ITEM_PICTURE_LIMITS.cpuSeconds * TIMES_DECODED * count);
  let program: ReturnType<typeof start> | null = null;
  const kill = () =>
    void program?.then(
      ({ child }) => child.kill("SIGKILL"),
      () => {},
    );
  signal.addEventListener("abort", kill);
  async function ask<Kind extends PictureJob["kind"]>(job: PictureJob & { kind: Kind }) {
    signal.throwIfAborted();
    program ??= start();
    const { child, lines } = await program;
    const timer = setTimeout(kill, WITHIN_MS);
    child.stdin.write(`${JSON.stringify(job)}\n`);
    const line = await lines.next();
    clearTimeout(timer);
    signal.throwIfAborted();
    if (line.done) {
      program = null;
      throw new PictureError(NOT_UNPACKED);
    }
    const answer: unknown = JSON.parse(line.value);
    const refused = refusal.safeParse(answer);
    if (refused.success) throw new PictureError(refused.data.refused);
    return answers[job.kind].parse(answer) as z.output<(typeof answers)[Kind]>;
  }
  const inFolder = <Made extends z.output<typeof cover>>(made: Made, folder: string) => ({
    ...made,
    images: made.images.map((each) => ({
      ...each,
      data: { path: join(folder, each.name), move: true as const },
    })),
  });
  try {
    return await use({
      check: async (path) => (await ask({ kind: "check", path })).warning,
      makeCover: async (path, folder) => inFolder(await ask({ kind: "cover", path, folder }), folder),
      makePhoto: async (path, folder, number) =>
        inFolder(await ask({ kind: "photo", path, folder, number }), folder),
    });
  } finally {
    signal.removeEventListener("abort", kill);
    kill();
  }
}

async function startProgram(cpuSeconds: number) {
  const limits = { memoryKb: ITEM_PICTURE_LIMITS.memoryKb, cpuSeconds };
  const child = await startLimited([PICTURE_PROGRAM, "set"], limits);
  const reader = createInterface({ input: child.stdout });
  child.once("error", () => reader.close());
  child.stdin.on("error", () => {});
  child.stderr.resume();
  return { child, lines: reader[Symbol.asyncIterator]() };
}
