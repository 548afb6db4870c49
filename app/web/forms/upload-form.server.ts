import { createHash } from "node:crypto";
import { unstable_parseMultipartFormData as parseMultipart } from "@remix-run/node";
import { config } from "#app/config.server.ts";
import { FormFiles } from "#app/domain/uploads/form-files.server.ts";
import type { FormTrouble } from "#app/domain/uploads/upload-limits.ts";
import { paths } from "#app/paths.ts";
import { UPLOAD_FORM_KEY } from "../request/front-requests.server.ts";
import { BODY_LIMITS } from "./form-body.server.ts";

const MAX_FILES = 100;
/** Between the contents of two files there are a few lines; the parser keeps them all in memory. */
const MAX_BETWEEN_FILES = 256 * 1024;
const ADDRESS_SECONDS = 12 * 3_600;

interface ReceivedForm {
  files: number;
  trouble: FormTrouble | null;
}

class TooMuch extends Error {
  readonly trouble: FormTrouble;

  constructor(trouble: FormTrouble) {
    super(trouble);
    this.trouble = trouble;
  }
}

/**
 * The address of the form. Behind nginx, which takes all of it in before the site sees who sends it, it has a key for some
 * hours, or files of strangers would fill the disk.
 */
export function uploadForm(): { action: string; isBuffered: boolean } {
  const path = paths.studioUploadForm();
  if (!config.web.hasFront) return { action: path, isBuffered: false };
  const until = Math.floor(Date.now() / 1000) + ADDRESS_SECONDS;
  // As nginx reads it: not a signature, but a text of ours at the end of what is hashed.
  const key = createHash("md5").update(`${until}${path} ${UPLOAD_FORM_KEY}`).digest("base64url");
  return { action: `${path}?${new URLSearchParams({ key, until: String(until) })}`, isBuffered: true };
}

/** Writes the files of a form to the disk as they come. Only after a guard that lets nobody but the staff pass. */
export async function receiveUploadForm(request: Request, userId: string): Promise<ReceivedForm> {
  const received = new FormFiles(userId);
  const { body, onFileBytes } = limitedBody(request);
  let [count, trouble]: [number, FormTrouble | null] = [0, null];
  try {
    await parseMultipart(body, async ({ filename, data }) => {
      if (filename === undefined || filename === "") {
        for await (const _ of data);
        return null;
      }
      count += 1;
      if (count > MAX_FILES) throw new TooMuch("many");
      const kept = await received.add(filename, counted(data, onFileBytes));
      trouble ??= kept;
      for await (const _ of data) onFileBytes();
      return null;
    });
  } catch (error) {
    trouble = error instanceof TooMuch ? error.trouble : "unread";
  }
  const files = await received.end();
  return { files, trouble: trouble ?? (files === 0 ? "none" : null) };
}

async function* counted(data: AsyncIterable<Uint8Array>, onBytes: () => void) {
  for await (const chunk of data) {
    onBytes();
    yield chunk;
  }
}

/** The same request, whose body ends with an error past the limits. */
function limitedBody(request: Request) {
  let [total, between] = [0, 0];
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      total += chunk.length;
      between += chunk.length;
      if (total > BODY_LIMITS.uploadForm) throw new TooMuch("large");
      if (between > MAX_BETWEEN_FILES + chunk.length) throw new TooMuch("unread");
      controller.enqueue(chunk);
    },
  });
  const body = new Request(request.url, {
    ...{ method: "POST", headers: { "Content-Type": request.headers.get("content-type") ?? "" } },
    ...{ body: request.body?.pipeThrough(limit) ?? null, duplex: "half" },
  } as RequestInit);
  const onFileBytes = () => {
    between = 0;
  };
  return { body, onFileBytes };
}
