import { z } from "zod";
import { NO_CLOCK_TIME, parseClockTime } from "#app/clock-times.ts";
import type { CoverChoice } from "#app/domain/catalog/edit/files/cover-choice.server.ts";
import {
  type MadeCover,
  makeCover,
  takeCover,
  type UsedCover,
} from "#app/domain/catalog/edit/files/covers.server.ts";
import { findEdited } from "#app/domain/catalog/edit/item/items.server.ts";
import { showsFiles } from "#app/domain/catalog/edit/states/media-states.ts";
import { coverView, type PictureView } from "#app/domain/catalog/media/picture-view.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { field, jsonField, readIntent } from "./form-body.server.ts";
import type { SentForm, UploadedFile } from "./item-upload.server.ts";
import { NO_PICTURE, programError } from "./picture-upload.server.ts";

const WAYS = ["moment", "candidate", "photo", "upload"] as const;
export type CoverWay = (typeof WAYS)[number];

export interface CoverAnswer {
  made: (MadeCover & { picture: PictureView | null }) | null;
  typed: { moment: string; candidate: string; photo: string };
  error: { at: CoverWay | "use"; sentence: string } | null;
  isConflict: boolean;
}

const CHANGED_COVER =
  "Someone else chose another cover, which is now the current one. Press the button again to use yours instead.";

/** Making a cover decodes a picture. */
export function makesCover({ form }: SentForm): boolean {
  return readIntent(form, ["use"]) === null;
}

export async function answerCover(sent: SentForm): Promise<"used" | CoverAnswer | null> {
  const { actor, id, form, files } = sent;
  if (!makesCover(sent)) return takeMade(sent);
  const way = readIntent(form, WAYS);
  if (way === null) return null;
  const choice = choiceIn(way, form, files);
  const result = typeof choice === "string" ? choice : await tryToMake(actor, id, choice);
  if (typeof result === "string") {
    return { ...emptyAnswer(form), error: { at: way, sentence: result } };
  }
  return { ...emptyAnswer(form), made: await withPicture(id, result) };
}

export async function repeatCover({ id, form }: SentForm): Promise<CoverAnswer | null> {
  if (readIntent(form, [...WAYS, "use"]) === null) return null;
  const made = madeIn(form);
  return { ...emptyAnswer(form), made: made && (await withPicture(id, made)) };
}

async function takeMade({ actor, id, form }: SentForm): Promise<"used" | CoverAnswer | null> {
  const made = madeIn(form);
  const opened = z.number().int().nullable().safeParse(jsonField(form, "opened"));
  if (made === null || !opened.success) return null;
  const result: UsedCover = await takeCover(actor, id, made, opened.data);
  if (result.used) return "used";
  const isConflict = "present" in result;
  const sentence = isConflict ? CHANGED_COVER : result.problem;
  return {
    ...emptyAnswer(form),
    // An unusable cover is not offered again.
    made: isConflict ? await withPicture(id, made) : null,
    error: { at: "use", sentence },
    isConflict,
  };
}

function choiceIn(way: CoverWay, form: FormData, files: UploadedFile[]): CoverChoice | string {
  switch (way) {
    case "moment": {
      const seconds = parseClockTime(field(form, "moment"));
      return seconds === null ? NO_CLOCK_TIME : { kind: way, seconds };
    }
    case "candidate": {
      const name = field(form, "candidate");
      return name === "" ? "Please choose one of the pictures." : { kind: way, name };
    }
    case "photo": {
      const photo = field(form, "photo");
      return photo === "" ? "Please choose one of the photos." : { kind: way, photo };
    }
    case "upload": {
      const [file] = files.filter((each) => each.field === "picture");
      return file === undefined ? NO_PICTURE : { kind: way, path: file.path };
    }
  }
}

async function tryToMake(actor: Actor, id: string, choice: CoverChoice): Promise<MadeCover | string> {
  try {
    return await makeCover(actor, id, choice);
  } catch (error) {
    const sentence = programError(error);
    if (sentence === null) throw error;
    return sentence;
  }
}

function emptyAnswer(form: FormData): CoverAnswer {
  const typed = {
    moment: field(form, "moment"),
    candidate: field(form, "candidate"),
    photo: field(form, "photo"),
  };
  return { made: null, typed, error: null, isConflict: false };
}

async function withPicture(id: string, made: MadeCover): Promise<CoverAnswer["made"]> {
  const item = await findEdited(id);
  if (item === null) return null;
  const picture = coverView({ ...item, color: made.color, coverVersion: made.version });
  return { ...made, picture: showsFiles(item) ? picture : null };
}

const made = z.strictObject({
  version: z.number().int().positive(),
  color: z
    .string()
    .max(7, { abort: true })
    .regex(/^#[\da-f]{6}$/),
  source: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("moment"), seconds: z.number().nonnegative() }),
    z.strictObject({ kind: z.literal("photo"), number: z.number().int().positive() }),
    z.strictObject({ kind: z.literal("picture") }),
  ]),
  photoVersion: z.number().int().nonnegative().optional(),
});

function madeIn(form: FormData): MadeCover | null {
  const parsed = made.safeParse(jsonField(form, "made"));
  return parsed.success ? parsed.data : null;
}
