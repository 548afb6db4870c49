import { saveAvatarUrl } from "#app/domain/auth/profile.server.ts";
import { deleteOlderAvatars, storeAvatar } from "#app/domain/media/avatar.server.ts";
import { PictureError } from "#app/domain/media/picture-error.ts";
import { paths } from "#app/paths.ts";
import { readForm } from "./form-body.server.ts";
import { limitWrites } from "./limits.server.ts";

const PICTURE_LIMIT_BYTES = 5 * 1024 * 1024;

/** Stores the picture of an uploaded form as the person's own. Null when it is stored, else why it is not. */
export async function changePicture(
  userId: string,
  request: Request,
): Promise<{ problem: string; status: number } | null> {
  await limitWrites(userId);
  try {
    const file = (await readForm(request, PICTURE_LIMIT_BYTES)).get("avatar");
    if (!(file instanceof File) || file.name === "") {
      return { problem: "Please choose a picture file first.", status: 422 };
    }
    const version = await storeAvatar(userId, new Uint8Array(await file.arrayBuffer()));
    await saveAvatarUrl(userId, paths.avatar(userId, version));
    await deleteOlderAvatars(userId, version);
    return null;
  } catch (error) {
    if (error instanceof PictureError) return { problem: pictureProblem(error.message), status: 422 };
    if (!(error instanceof Response) || error.status !== 413) throw error;
    return { problem: "This file is larger than 5 MB. Please choose a smaller one.", status: 413 };
  }
}

function pictureProblem(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}. Please choose another picture.`;
}
