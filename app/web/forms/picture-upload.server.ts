import { BulkheadRejectedError } from "cockatiel";
import { saveAvatarUrl } from "#app/domain/auth/profile.server.ts";
import { deleteOlderAvatars, storeAvatar } from "#app/domain/media/avatar.server.ts";
import { PictureProgramError } from "#app/domain/media/picture-program.server.ts";
import { VideoError } from "#app/domain/media/video/probe.server.ts";
import { FILE_LIMITS, largerThan } from "#app/file-limits.ts";
import { paths } from "#app/paths.ts";
import { capitalized } from "#app/texts.ts";
import { limitPictures } from "../request/limits.server.ts";
import { BODY_LIMITS, readForm } from "./form-body.server.ts";

const TOO_LARGE = `This file is ${largerThan(FILE_LIMITS.picture)}. Please choose a smaller one.`;
export const NO_PICTURE = "Please choose a picture file first.";
const BUSY = "Other pictures are being processed. Please try again in a minute.";

export interface UploadError {
  error: string;
  status: number;
}

export async function changeAvatar(userId: string, request: Request): Promise<UploadError | null> {
  const read = await readPictureForm(request);
  if ("error" in read) return read;
  return savePicture(userId, read.form.get("avatar"), async (bytes) => {
    const version = await storeAvatar(userId, bytes);
    await saveAvatarUrl(userId, paths.avatar(userId, version));
    await deleteOlderAvatars(userId, version);
  });
}

export async function readPictureForm(request: Request): Promise<{ form: FormData } | UploadError> {
  try {
    return { form: await readForm(request, BODY_LIMITS.picture) };
  } catch (error) {
    if (!(error instanceof Response) || error.status !== 413) throw error;
    return { error: TOO_LARGE, status: 413 };
  }
}

/** Only a chosen file counts toward the limit: texts beside it are saved as often as others. */
export async function savePicture(
  userId: string,
  file: FormDataEntryValue | null,
  store: (bytes: Uint8Array) => Promise<void>,
): Promise<UploadError | null> {
  if (!(file instanceof File) || file.name === "") {
    return { error: NO_PICTURE, status: 422 };
  }
  await limitPictures(userId);
  try {
    await store(new Uint8Array(await file.arrayBuffer()));
    return null;
  } catch (error) {
    const reason = programError(error);
    if (reason === null) throw error;
    return reason === BUSY
      ? { error: BUSY, status: 503 }
      : { error: `${reason} Please choose another picture.`, status: 422 };
  }
}

/** What the person can be told. Null for a fault of the site. */
export function programError(error: unknown): string | null {
  if (error instanceof BulkheadRejectedError) return BUSY;
  if (!(error instanceof PictureProgramError || error instanceof VideoError)) return null;
  return `${capitalized(error.message)}.`;
}
