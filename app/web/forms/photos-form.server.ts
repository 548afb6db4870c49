import { z } from "zod";
import { PHOTOS_AT_ONCE } from "#app/domain/catalog/edit/item/sections.ts";
import { addPhoto, replacePhoto } from "#app/domain/catalog/edit/photos/import-photos.server.ts";
import {
  type Arrangement,
  type ArrangeResult,
  arrangePhotos,
} from "#app/domain/catalog/edit/photos/photo-order.server.ts";
import { isNoSpace } from "#app/domain/media/storage/disk-full.ts";
import type { Conflict } from "#app/domain/staff/compare-edits.server.ts";
import { ANSWER_SECONDS, field, readIntent } from "./form-body.server.ts";
import { pick } from "./item-form.server.ts";
import { NO_FILE, type SentForm } from "./item-upload.server.ts";
import { programError } from "./picture-upload.server.ts";
import { ID_LENGTH, jsonOf, texts, upTo } from "./section-form.server.ts";

export interface OrderAnswer {
  opened: Arrangement;
  fields: OrderFields;
  errors: Record<string, string>;
  conflicts: Conflict<number | boolean>[];
}

export interface OrderFields {
  photos: { id: string; position: string; isLeftOut: boolean }[];
}

export interface PhotoFilesAnswer {
  step: "add" | "replace";
  added: number;
  refused: { name: string; sentence: string }[];
  error: string | null;
  photo: string;
}

export const PHOTO_FILES_AT_ONCE = 20;
/** What is left for the last photo before a proxy stops waiting. */
const LAST_PHOTO_SECONDS = 20;
const ARRANGEMENT_FIELD = "isLeftOut-".length + ID_LENGTH;
const arrangement = z
  .record(upTo(ARRANGEMENT_FIELD), z.union([z.number(), z.boolean()]))
  .refine((values) => Object.keys(values).length <= 2 * PHOTOS_AT_ONCE);

export async function answerOrder(sent: SentForm): Promise<"saved" | OrderAnswer | null> {
  const answer = repeatOrder(sent);
  if (answer === null) return null;
  const errors: Record<string, string> = {};
  const wanted: Arrangement = {};
  for (const { id, position, isLeftOut } of answer.fields.photos) {
    const number = /^\d{1,6}$/.test(position) ? Number(position) : 0;
    if (number < 1) errors[`position-${id}`] = "Please type a number, 1 for the first photo.";
    wanted[`position-${id}`] = number;
    wanted[`isLeftOut-${id}`] = isLeftOut;
  }
  if (Object.keys(errors).length > 0) return { ...answer, errors };
  const theirs = pick(answer.opened, sent.form.getAll("theirs")) as Arrangement;
  const result: ArrangeResult = await arrangePhotos(sent.actor, sent.id, answer.opened, {
    ...wanted,
    ...theirs,
  });
  if (result.saved) return "saved";
  if ("problem" in result) return { ...answer, errors: { form: result.problem } };
  const { conflicts } = result;
  const stored = Object.fromEntries(
    conflicts.map(({ field: name, theirs: value }) => [name, value ?? UNPLACED]),
  );
  return { ...answer, opened: { ...answer.opened, ...stored }, conflicts };
}

/** For a photo that somebody else has left out. No photo has this position. */
const UNPLACED = 0;

export function repeatOrder({ form }: SentForm): OrderAnswer | null {
  const opened = arrangement.safeParse(jsonOf(form.get("opened")));
  if (!opened.success) return null;
  const [positions, leftOut] = [texts(form, "position"), texts(form, "leftOut")];
  const ids = texts(form, "photo").slice(0, PHOTOS_AT_ONCE);
  const photos = ids.map((id, index) => ({
    id,
    position: (positions[index] ?? "").trim(),
    isLeftOut: leftOut.includes(id),
  }));
  return { opened: opened.data, fields: { photos }, errors: {}, conflicts: [] };
}

export async function answerPhotoFiles(sent: SentForm): Promise<"saved" | PhotoFilesAnswer | null> {
  const answer = repeatPhotoFiles(sent);
  if (answer === null) return null;
  const files = sent.files.filter((each) => each.field === "photos");
  if (files.length === 0) return { ...answer, error: NO_FILE };
  const most = answer.step === "replace" ? 1 : PHOTO_FILES_AT_ONCE;
  if (files.length > most)
    return {
      ...answer,
      error: most === 1 ? "Please choose one file." : `Please choose up to ${most} files.`,
    };
  const until = performance.now() + (ANSWER_SECONDS - LAST_PHOTO_SECONDS) * 1_000;
  for (const file of files) {
    const error =
      performance.now() > until
        ? "We ran out of time for this file. Please send it again."
        : await importPhoto(sent, answer, file);
    if (error === null) answer.added += 1;
    else answer.refused.push({ name: file.fileName, sentence: error });
  }
  return answer.refused.length === 0 ? "saved" : answer;
}

export function repeatPhotoFiles({ form }: SentForm): PhotoFilesAnswer | null {
  const step = readIntent(form, ["add", "replace"]);
  if (step === null) return null;
  return { step, added: 0, refused: [], error: null, photo: field(form, "photo") };
}

async function importPhoto(
  { actor, id, form }: SentForm,
  { step, photo }: PhotoFilesAnswer,
  file: SentForm["files"][number],
): Promise<string | null> {
  try {
    if (step === "add") return await addPhoto(actor, id, file);
    const opened = versions.safeParse(jsonOf(form.get("opened")));
    const version = opened.success ? (opened.data[photo] ?? NO_VERSION) : NO_VERSION;
    return await replacePhoto(actor, id, { photo, opened: version }, file);
  } catch (error) {
    if (isNoSpace(error)) return NO_ROOM;
    const sentence = programError(error);
    if (sentence === null) throw error;
    return sentence;
  }
}

export const NO_ROOM = "The site's disk is full. Ask the host to free some space, then try again.";
/** No version is negative. */
const NO_VERSION = -1;
const versions = z
  .record(upTo(ID_LENGTH), z.number())
  .refine((values) => Object.keys(values).length <= PHOTOS_AT_ONCE);
