import { BulkheadRejectedError } from "cockatiel";
import { saveAvatarUrl } from "#app/domain/auth/profile.server.ts";
import { deleteOlderAvatars, storeAvatar } from "#app/domain/media/avatar.server.ts";
import { PictureProgramError } from "#app/domain/media/picture-program.server.ts";
import { VideoError } from "#app/domain/media/video/probe.server.ts";
import { paths } from "#app/paths.ts";
import { FILE_LIMITS, largerThan } from "#app/sizes.ts";
import { limitPictures } from "../request/limits.server.ts";
import { BODY_LIMITS, readForm } from "./form-body.server.ts";

const TOO_LARGE = `This file is ${largerThan(FILE_LIMITS.picture)}. Please choose a smaller one.`;
const BUSY = "Other pictures are being processed. Please try again in a minute.";

export interface UploadProblem {
  problem: string;
  status: number;
}

export async function changePicture(userId: string, request: Request): Promise<UploadProblem | null> {
  const read = await readUpload(userId, request);
  if ("problem" in read) return read;
  return takePicture(read.form.get("avatar"), async (bytes) => {
    const version = await storeAvatar(userId, bytes);
    await saveAvatarUrl(userId, paths.avatar(userId, version));
    await deleteOlderAvatars(userId, version);
  });
}

export async function readUpload(
  userId: string,
  request: Request,
): Promise<{ form: FormData } | UploadProblem> {
  await limitPictures(userId);
  try {
    return { form: await readForm(request, BODY_LIMITS.picture) };
  } catch (error) {
    if (!(error instanceof Response) || error.status !== 413) throw error;
    return { problem: TOO_LARGE, status: 413 };
  }
}

export async function takePicture(
  file: FormDataEntryValue | null,
  store: (bytes: Uint8Array) => Promise<void>,
): Promise<UploadProblem | null> {
  if (!(file instanceof File) || file.name === "") {
    return { problem: "Please choose a picture file first.", status: 422 };
  }
  try {
    await store(new Uint8Array(await file.arrayBuffer()));
    return null;
  } catch (error) {
    if (error instanceof PictureProgramError) return { problem: pictureProblem(error.message), status: 422 };
    if (error instanceof BulkheadRejectedError) return { problem: BUSY, status: 503 };
    throw error;
  }
}

function pictureProblem(reason: string): string {
  return `${sentence(reason)} Please choose another picture.`;
}

/** Null for a fault of the site. */
export function programProblem(error: unknown): string | null {
  if (error instanceof BulkheadRejectedError) return BUSY;
  if (!(error instanceof PictureProgramError || error instanceof VideoError)) return null;
  return sentence(error.message);
}

function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
