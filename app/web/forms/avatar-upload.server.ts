import { BulkheadRejectedError } from "cockatiel";
import { saveAvatarUrl } from "#app/domain/auth/profile.server.ts";
import { AvatarError, deleteOlderAvatars, storeAvatar } from "#app/domain/media/avatar.server.ts";
import { paths } from "#app/paths.ts";
import { limitPictures } from "../request/limits.server.ts";
import { BODY_LIMITS, readForm } from "./form-body.server.ts";

export async function changePicture(
  userId: string,
  request: Request,
): Promise<{ problem: string; status: number } | null> {
  await limitPictures(userId);
  try {
    const file = (await readForm(request, BODY_LIMITS.picture)).get("avatar");
    if (!(file instanceof File) || file.name === "") {
      return { problem: "Please choose a picture file first.", status: 422 };
    }
    const version = await storeAvatar(userId, new Uint8Array(await file.arrayBuffer()));
    await saveAvatarUrl(userId, paths.avatar(userId, version));
    await deleteOlderAvatars(userId, version);
    return null;
  } catch (error) {
    if (error instanceof AvatarError) return { problem: pictureProblem(error.message), status: 422 };
    if (error instanceof BulkheadRejectedError) {
      return { problem: "Other pictures are being processed. Please try again in a minute.", status: 503 };
    }
    if (!(error instanceof Response) || error.status !== 413) throw error;
    return { problem: "This file is larger than 5 MB. Please choose a smaller one.", status: 413 };
  }
}

function pictureProblem(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}. Please choose another picture.`;
}
