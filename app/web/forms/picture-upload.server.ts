import { BulkheadRejectedError } from "cockatiel";
import { saveAvatarUrl } from "#app/domain/auth/profile.server.ts";
import { deleteOlderAvatars, storeAvatar } from "#app/domain/media/avatar.server.ts";
import { PictureProgramError } from "#app/domain/media/picture-program.server.ts";
import { VideoError } from "#app/domain/media/video/probe.server.ts";
import { FILE_LIMITS, largerThan } from "#app/file-limits.ts";
import { paths } from "#app/paths.ts";
import { limitPictures } from "../request/limits.server.ts";
import { BODY_LIMITS, readForm } from "./form-body.server.ts";

const TOO_LARGE = `This file is ${largerThan(FILE_LIMITS.picture)}. Please choose a smaller one.`;
const BUSY = "Other pictures are being processed. Please try again in a minute.";

export interface UploadError {
  error: string;
  status: number;
}

export async function changePicture(userId: string, request: Request): Promise<UploadError | null> {
  const read = await readUpload(userId, request);
  if ("error" in read) return read;
  return takePicture(read.form.get("avatar"), async (bytes) => {
    const version = await storeAvatar(userId, bytes);
    await saveAvatarUrl(userId, paths.avatar(userId, version));
    await deleteOlderAvatars(userId, version);
  });
}

export async function readUpload(
  userId: string,
  request: Request,
): Promise<{ form: FormData } | UploadError> {
  await limitPictures(userId);
  try {
    return { form: await readForm(request, BODY_LIMITS.picture) };
  } catch (error) {
    if (!(error instanceof Response) || error.status !== 413) throw error;
    return { error: TOO_LARGE, status: 413 };
  }
}

export async function takePicture(
  file: FormDataEntryValue | null,
  store: (bytes: Uint8Array) => Promise<void>,
): Promise<UploadError | null> {
  if (!(file instanceof File) || file.name === "") {
    return { error: "Please choose a picture file first.", status: 422 };
  }
  try {
    await store(new Uint8Array(await file.arrayBuffer()));
    return null;
  } catch (error) {
    if (error instanceof PictureProgramError) return { error: pictureError(error.message), status: 422 };
    if (error instanceof BulkheadRejectedError) return { error: BUSY, status: 503 };
    throw error;
  }
}

function pictureError(reason: string): string {
  return `${sentence(reason)} Please choose another picture.`;
}

/** Null for a fault of the site. */
export function programError(error: unknown): string | null {
  if (error instanceof BulkheadRejectedError) return BUSY;
  if (!(error instanceof PictureProgramError || error instanceof VideoError)) return null;
  return sentence(error.message);
}

function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
