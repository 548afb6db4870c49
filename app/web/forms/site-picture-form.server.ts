import { PICTURE_KINDS, type PictureKind, type SectionValues } from "#app/domain/site/settings.ts";
import { readSiteValues } from "#app/domain/site/site.server.ts";
import { storePicture } from "#app/domain/site/site-files.server.ts";
import { readUpload, takePicture } from "./picture-upload.server.ts";
import type { SiteAnswer } from "./site-form.server.ts";

/** Nothing changes until the picture is saved, so uploading one needs no code. */
export async function answerPicture(
  request: Request,
  userId: string,
): Promise<{ status: number; answer: SiteAnswer }> {
  const kind = PICTURE_KINDS.find((each) => each === new URL(request.url).searchParams.get("picture"));
  if (kind === undefined) throw new Response("Request Failed", { status: 400 });
  const taken = await storeUpload(kind, await readUpload(userId, request));
  const opened: SectionValues = { [kind]: (await readSiteValues())[kind] };
  const answer: SiteAnswer = {
    ...{ section: kind, step: "save", opened, fields: opened },
    ...{ errors: {}, conflicts: [], suggestion: null },
  };
  return "error" in taken
    ? { status: taken.status, answer: { ...answer, errors: { [kind]: taken.error } } }
    : { status: 200, answer: { ...answer, fields: { [kind]: taken.version } } };
}

async function storeUpload(kind: PictureKind, read: Awaited<ReturnType<typeof readUpload>>) {
  if ("error" in read) return read;
  let version = "";
  const refused = await takePicture(read.form.get("picture"), async (bytes) => {
    version = await storePicture(kind, bytes);
  });
  return refused ?? { version };
}
