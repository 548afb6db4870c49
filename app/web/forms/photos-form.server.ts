import { addPhoto, REPLACED, replacePhoto } from "#app/domain/catalog/edit/photos/import-photos.server.ts";
import { isNoSpace } from "#app/domain/media/storage/disk-full.ts";
import { ANSWER_SECONDS, field, openedVersion, readIntent } from "./form-body.server.ts";
import { NO_FILE, type SentForm, type UploadedFile } from "./item-upload.server.ts";
import { programError } from "./picture-upload.server.ts";

export interface PhotoFilesAnswer {
  /** The id of the photo to replace; null for new ones. */
  photo: string | null;
  error: string | null;
  added: number;
  /** One refused file does not stop the others. */
  refused: { name: string; sentence: string }[];
}

export const PHOTO_FILES_AT_ONCE = 20;
/** What is left for the last photo before a proxy stops waiting. */
const LAST_PHOTO_SECONDS = 20;
export const NO_ROOM = "The site’s disk is full. Ask the host to free some space, then try again.";
export const PHOTO_FILES_SAVED = {
  add: "The photos are imported. Check their alternative texts.",
  replace: "The photo is replaced.",
};

export const photoFilesPart = {
  acceptsFiles: true as const,
  async answer(sent: SentForm) {
    const typed = await photoFilesPart.repeat(sent);
    if (typed === null) return null;
    const files = sent.files.filter((each) => each.field === "photos");
    const answer = typed.photo === null ? await add(sent, files, typed) : await replace(sent, files, typed);
    if (answer.error === null && answer.refused.length === 0) {
      return { saved: PHOTO_FILES_SAVED[typed.photo === null ? "add" : "replace"] };
    }
    const isFull = [answer.error, ...answer.refused.map(({ sentence }) => sentence)].includes(NO_ROOM);
    return { status: isFull ? 507 : answer.error === REPLACED ? 409 : 422, answer };
  },
  async repeat({ form }: SentForm): Promise<PhotoFilesAnswer | null> {
    const step = readIntent(form, ["add", "replace"]);
    if (step === null) return null;
    return { photo: step === "add" ? null : field(form, "photo"), error: null, added: 0, refused: [] };
  },
};

async function replace(
  { actor, id, form }: SentForm,
  [file, ...others]: UploadedFile[],
  typed: PhotoFilesAnswer,
): Promise<PhotoFilesAnswer> {
  if (file === undefined) return { ...typed, error: NO_FILE };
  if (others.length > 0) return { ...typed, error: "Please choose one file." };
  const photo = { photo: typed.photo ?? "", opened: openedVersion(form) };
  return { ...typed, error: await problemOf(() => replacePhoto(actor, id, photo, file)) };
}

async function add(
  { actor, id }: SentForm,
  files: UploadedFile[],
  typed: PhotoFilesAnswer,
): Promise<PhotoFilesAnswer> {
  if (files.length === 0) return { ...typed, error: NO_FILE };
  if (files.length > PHOTO_FILES_AT_ONCE) {
    return { ...typed, error: `Please choose up to ${PHOTO_FILES_AT_ONCE} files.` };
  }
  const answer: PhotoFilesAnswer = { ...typed };
  const until = performance.now() + (ANSWER_SECONDS - LAST_PHOTO_SECONDS) * 1_000;
  for (const file of files) {
    const sentence =
      performance.now() > until
        ? "We ran out of time for this file. Please send it again."
        : await problemOf(() => addPhoto(actor, id, file));
    if (sentence === null) answer.added += 1;
    else answer.refused = [...answer.refused, { name: file.fileName, sentence }];
  }
  return answer;
}

async function problemOf(importFile: () => Promise<string | null>): Promise<string | null> {
  try {
    return await importFile();
  } catch (error) {
    if (isNoSpace(error)) return NO_ROOM;
    const sentence = programError(error);
    if (sentence === null) throw error;
    return sentence;
  }
}
