import { createHash } from "node:crypto";
import { z } from "zod";
import { config } from "#app/config.server.ts";
import type { ChosenFile } from "#app/domain/uploads/batches.server.ts";
import { FormFiles } from "#app/domain/uploads/form-files.server.ts";
import { type FormTrouble, UPLOAD_LIMITS } from "#app/domain/uploads/upload-limits.ts";
import { FILE_LIMITS } from "#app/file-limits.ts";
import { log } from "#app/log.server.ts";
import { paths } from "#app/paths.ts";
import { sizeText } from "#app/sizes.ts";
import { UPLOAD_FORM_KEY } from "../request/front-requests.server.ts";
import { BODY_LIMITS } from "./form-body.server.ts";
import { boundaryOf, MultipartError, readMultipart } from "./multipart.ts";

const MAX_FILES = 100;
const MAX_PARTS = MAX_FILES + 10;
export const UPLOAD_FORM_LIMITS = { files: MAX_FILES, size: sizeText(FILE_LIMITS.uploadForm) };
/** nginx does not know who has lost the role, so the address soon ends by itself. */
const ADDRESS_SECONDS = 3_600;

interface ReceivedForm {
  files: number;
  trouble: FormTrouble | null;
}

class TroubleError extends Error {
  readonly trouble: FormTrouble;

  constructor(trouble: FormTrouble) {
    super(trouble);
    this.trouble = trouble;
  }
}

/** nginx stores the whole form before the site knows who sent it, so the address has a key. Without one, strangers could fill the disk. */
export function uploadForm(): { action: string; isBuffered: boolean } {
  const path = paths.studioUploadForm();
  if (!config.web.hasFront) return { action: path, isBuffered: false };
  const until = Math.floor(Date.now() / 1000) + ADDRESS_SECONDS;
  // As nginx checks it: not a signature, but a hash of a text that ends with the secret.
  const key = createHash("md5").update(`${until}${path} ${UPLOAD_FORM_KEY}`).digest("base64url");
  return { action: `${path}?${new URLSearchParams({ key, until: String(until) })}`, isBuffered: true };
}

/** Call it only after a guard for staff. */
export async function receiveUploadForm(request: Request, userId: string): Promise<ReceivedForm> {
  const received = new FormFiles(userId);
  const boundary = boundaryOf(request.headers.get("content-type") ?? "");
  let [count, parts, trouble]: [number, number, FormTrouble | null] = [0, 0, null];
  try {
    if (boundary === null || request.body === null) throw new TroubleError("unread");
    await readMultipart(limited(request.body), boundary, ({ fileName }) => {
      parts += 1;
      if (parts > MAX_PARTS) throw new TroubleError("unread");
      if (fileName === null || fileName === "") return { write() {}, end() {} };
      count += 1;
      if (count > MAX_FILES) throw new TroubleError("many");
      const file = received.begin(fileName);
      return {
        write: (bytes) => file.write(bytes),
        async end() {
          const kept = await file.end();
          trouble ??= kept;
        },
      };
    });
  } catch (error) {
    trouble = error instanceof TroubleError ? error.trouble : "unread";
    if (!(error instanceof TroubleError || error instanceof MultipartError))
      log.warn({ err: error }, "an upload form was not read to the end");
  }
  const kept = await received.end();
  return { files: kept.files, trouble: kept.trouble ?? trouble ?? (kept.files === 0 ? "none" : null) };
}

async function* limited(body: ReadableStream<Uint8Array>) {
  let total = 0;
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    total += bytes.byteLength;
    if (total > BODY_LIMITS.uploadForm) throw new TroubleError("large");
    yield bytes;
  }
}

const FILE = /^(\d{1,15}) (\S*) (.+)$/s;

/** "12 fingerprint folder/name" for each file. */
export function readChosen(form: FormData): ChosenFile[] | null {
  const lines = form.getAll("file");
  if (lines.length === 0 || lines.length > UPLOAD_LIMITS.files) return null;
  const files = lines.map((line) => {
    const [, bytes = "", fingerprint = "", path = ""] = (typeof line === "string" && FILE.exec(line)) || [];
    const isValid = path !== "" && fingerprint.length <= UPLOAD_LIMITS.fingerprint;
    return isValid ? { bytes: Number(bytes), fingerprint, path } : null;
  });
  return files.every((file) => file !== null) ? files : null;
}

const ids = z.array(z.uuid()).max(UPLOAD_LIMITS.files);

export function readIds(form: FormData, name: "upload" | "batch"): string[] {
  return ids.safeParse(form.getAll(name)).data ?? [];
}
