import { saveAvatarUrl } from "#app/domain/auth/profile.server.ts";
import { deleteOlderAvatars, storeAvatar } from "#app/domain/media/avatar.server.ts";
import { paths } from "#app/paths.ts";
import { takePicture } from "./picture-upload.server.ts";

export async function changePicture(
  userId: string,
  request: Request,
): Promise<{ problem: string; status: number } | null> {
  const upload = await takePicture(userId, request, "avatar", async (bytes) => {
    const version = await storeAvatar(userId, bytes);
    await saveAvatarUrl(userId, paths.avatar(userId, version));
    await deleteOlderAvatars(userId, version);
  });
  return "problem" in upload ? upload : null;
}
