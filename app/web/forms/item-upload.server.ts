import { type FileHandle, open } from "node:fs/promises";
import { basename, join } from "node:path";
import { config } from "#app/config.server.ts";
import { inTemporaryFolder } from "#app/domain/media/storage/temporary.server.ts";
import {
  BODY_LIMITS,
  DROPPED_BYTES,
  isUpload,
  readStaffForm,
  STAFF_FIELD_LIMITS,
} from "./form-body.server.ts";
import { boundaryOf, MultipartError, readMultipart } from "./multipart.ts";

/** A file of a form, which is gone once the form is answered. */
export interface UploadedFile {
  /** The name of its field. */
  field: string;
  path: string;
  /** As the browser says, cut to what is stored. */
  fileName: string;
  bytes: number;
}

export interface ItemForm {
  form: FormData;
  files: UploadedFile[];
}

const MAX_FILE_NAME = 200;

/**
 * Calls `answer` with a form of an item's page; its files are on the disk, so that the memory of a process does not grow with
 * them. "tooLarge" past the limit. Throws as readStaffForm() does.
 */
export async function withItemForm<Answer>(
  request: Request,
  answer: (read: ItemForm | "tooLarge") => Promise<Answer>,
): Promise<Answer> {
  if (!isUpload(request)) return answer({ form: await readStaffForm(request), files: [] });
  return inTemporaryFolder(config.media.dir, async (folder) => answer(await readUpload(request, folder)));
}

async function readUpload(request: Request, folder: string): Promise<ItemForm | "tooLarge"> {
  const boundary = boundaryOf(request.headers.get("content-type") ?? "");
  if (boundary === null || request.body === null) throw new Response("Request Failed", { status: 400 });
  const form = new FormData();
  const files: UploadedFile[] = [];
  const body = limited(request.body);
  const texts = { fields: 0, bytes: 0 };
  const opened: FileHandle[] = [];
  try {
    await readMultipart(body.bytes, boundary, ({ name, fileName }) => {
      texts.fields += 1;
      if (texts.fields > STAFF_FIELD_LIMITS.fields) throw new Response("Request Failed", { status: 413 });
      return fileName === null ? textOf(name) : fileOf(name, fileName);
    });
  } catch (error) {
    if (!(error instanceof MultipartError)) throw error;
    if (body.isTooLarge()) return "tooLarge";
    throw new Response("Request Failed", { status: 400 });
  } finally {
    await Promise.all(opened.map((handle) => handle.close().catch(() => {})));
  }
  return { form, files };

  function textOf(name: string) {
    const parts: Buffer[] = [];
    return {
      write(bytes: Buffer) {
        texts.bytes += bytes.length;
        if (texts.bytes > BODY_LIMITS.staffForm) throw new Response("Request Failed", { status: 413 });
        parts.push(Buffer.from(bytes));
      },
      end() {
        const text = Buffer.concat(parts).toString("utf8");
        if (text.length > STAFF_FIELD_LIMITS.characters)
          throw new Response("Request Failed", { status: 413 });
        form.append(name, text);
      },
    };
  }

  /** A file field that was left empty has no name and no bytes. */
  function fileOf(field: string, fileName: string) {
    const path = join(folder, String(files.length));
    const file = { field, path, fileName: shortName(fileName), bytes: 0 };
    if (fileName !== "") files.push(file);
    let handle: FileHandle | null = null;
    return {
      async write(bytes: Buffer) {
        if (fileName === "") return;
        if (handle === null) {
          handle = await open(path, "wx", 0o600);
          opened.push(handle);
        }
        file.bytes += bytes.length;
        await handle.writeFile(bytes);
      },
      async end() {
        if (fileName !== "" && handle === null) await (await open(path, "wx", 0o600)).close();
      },
    };
  }
}

/** Reads and drops what is past the limit, as readBody() does, and then ends. */
function limited(body: ReadableStream<Uint8Array>) {
  let size = 0;
  const isTooLarge = () => size > BODY_LIMITS.itemFiles;
  async function* bytes() {
    for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
      size += part.byteLength;
      if (!isTooLarge()) yield part;
      else if (size > BODY_LIMITS.itemFiles + DROPPED_BYTES) return;
    }
  }
  return { bytes: bytes(), isTooLarge };
}

function shortName(fileName: string): string {
  const name = basename(fileName.replaceAll("\\", "/")).replace(/\p{Cc}/gu, "");
  return name.length <= MAX_FILE_NAME ? name : `…${name.slice(1 - MAX_FILE_NAME)}`;
}
