import { BulkheadRejectedError } from "cockatiel";
import { PictureProgramError } from "#app/domain/media/picture-program.server.ts";
import { limitPictures } from "../request/limits.server.ts";
import { BODY_LIMITS, readForm } from "./form-body.server.ts";

type Upload<Stored> = { stored: Stored } | { problem: string; status: number };

/** Reads the form with the picture `name`, and hands its bytes to `store`. A problem is a sentence for people. */
export async function takePicture<Stored>(
  userId: string,
  request: Request,
  name: string,
  store: (bytes: Uint8Array, form: FormData) => Promise<Stored>,
): Promise<Upload<Stored>> {
  await limitPictures(userId);
  try {
    const form = await readForm(request, BODY_LIMITS.picture);
    const file = form.get(name);
    if (!(file instanceof File) || file.name === "") {
      return { problem: "Please choose a picture file first.", status: 422 };
    }
    return { stored: await store(new Uint8Array(await file.arrayBuffer()), form) };
  } catch (error) {
    if (error instanceof PictureProgramError) return { problem: pictureProblem(error.message), status: 422 };
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
