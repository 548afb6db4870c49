import { PICTURE_KINDS, type PictureKind, type SectionValues } from "#app/domain/site/settings.ts";
import { readSiteValues } from "#app/domain/site/site.server.ts";
import { storePicture } from "#app/domain/site/site-files.server.ts";
import { readPictureForm, savePicture } from "./picture-upload.server.ts";
import type { SiteAnswer } from "./site-form.server.ts";

/** The site does not change until the picture is saved, so uploading one needs no recent sign-in. */
export async function answerPicture(
  request: Request,
  userId: string,
): Promise<{ status: number; answer: SiteAnswer }> {
  const kind = PICTURE_KINDS.find((each) => each === new URL(request.url).searchParams.get("picture"));
  if (kind === undefined) throw new Response("Request Failed", { status: 400 });
  const stored = await storeUpload(kind, await readPictureForm(userId, request));
  const opened: SectionValues = { [kind]: (await readSiteValues())[kind] };
  const answer: SiteAnswer = {
    section: kind,
    step: "save",
    opened,
    fields: opened,
    errors: {},
    conflicts: [],
    suggestion: null,
  };
  return "error" in stored
    ? { status: stored.status, answer: { ...answer, errors: { [kind]: stored.error } } }
    : { status: 200, answer: { ...answer, fields: { [kind]: stored.version } } };
}

async function storeUpload(kind: PictureKind, read: Awaited<ReturnType<typeof readPictureForm>>) {
  if ("error" in read) return read;
  let version = "";
  const refused = await savePicture(read.form.get("picture"), async (bytes) => {
    version = await storePicture(kind, bytes);
  });
  return refused ?? { version };
}
