import { type FileHandle, open } from "node:fs/promises";
import { basename, join } from "node:path";
import { config } from "#app/config.server.ts";
import { isNoSpace } from "#app/domain/media/storage/disk-full.ts";
import { inTemporaryFolder } from "#app/domain/media/storage/temporary.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { isDiskFull, readSpace, type Space } from "#app/domain/uploads/space.server.ts";
import { FILE_LIMITS } from "#app/file-limits.ts";
import { sizeText } from "#app/sizes.ts";
import {
  BODY_LIMITS,
  DROPPED_BYTES,
  isUpload,
  readStaffForm,
  STAFF_FIELD_LIMITS,
} from "./form-body.server.ts";
import { boundaryOf, MultipartError, readMultipart } from "./multipart.ts";

/** Deleted once the form is answered. */
export interface UploadedFile {
  field: string;
  path: string;
  fileName: string;
  bytes: number;
}

export interface ItemForm {
  form: FormData;
  files: UploadedFile[];
  /** The disk had no room, so the files were dropped. */
  isFull: boolean;
}

export interface SentForm extends ItemForm {
  actor: Actor;
  id: string;
}

const MAX_FILE_NAME = 200;
export const NO_FILE = "Please choose a file first.";
export const FILES_TOO_LARGE = `The files are larger than ${sizeText(FILE_LIMITS.itemForm)} in total, so none was imported. Please send fewer at a time.`;

/**
 * Keeps files on the disk, so that they do not fill the memory of the process. Without `acceptsFiles` the body has the
 * limits of a plain form. Throws what readStaffForm() throws.
 */
export async function withItemForm<Answer>(
  request: Request,
  acceptsFiles: boolean,
  answer: (read: ItemForm | "tooLarge") => Promise<Answer>,
  space: () => Promise<Space> = readSpace,
): Promise<Answer> {
  if (!acceptsFiles || !isUpload(request)) {
    return answer({ form: await readStaffForm(request), files: [], isFull: false });
  }
  return inTemporaryFolder(config.media.workDir, async (folder) =>
    answer(await readUpload(request, folder, space)),
  );
}

/** `full` answers when the disk has no room for files. */
export async function unlessFull<Answer>(
  { isFull }: Pick<ItemForm, "isFull">,
  hasFiles: boolean,
  { answer, full }: { answer(): Promise<Answer>; full(): Promise<Answer> },
): Promise<Answer> {
  if (isFull || (hasFiles && (await isDiskFull(0)))) return full();
  try {
    return await answer();
  } catch (error) {
    if (!isNoSpace(error)) throw error;
    return full();
  }
}

async function readUpload(
  request: Request,
  folder: string,
  space: () => Promise<Space>,
): Promise<ItemForm | "tooLarge"> {
  const boundary = boundaryOf(request.headers.get("content-type") ?? "");
  if (boundary === null || request.body === null) throw new Response("Request Failed", { status: 400 });
  const form = new FormData();
  const files: UploadedFile[] = [];
  const body = limited(request.body);
  const texts = { fields: 0, bytes: 0 };
  const announced = Number(request.headers.get("content-length") ?? BODY_LIMITS.itemFiles);
  const hasRoom = !(await isDiskFull(Math.min(announced, BODY_LIMITS.itemFiles), space));
  let isFull = false;
  let opened: FileHandle | null = null;
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
    await close().catch(() => {});
  }
  return { form, files: isFull ? [] : files, isFull };

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

  /** An empty file field has no name and no bytes. */
  function fileOf(field: string, fileName: string) {
    const path = join(folder, String(files.length));
    const file = { field, path, fileName: shortName(fileName), bytes: 0 };
    if (fileName === "") return { write() {}, end() {} };
    files.push(file);
    isFull ||= !hasRoom;
    return {
      write: (bytes: Buffer) => {
        file.bytes += bytes.length;
        return whileRoom(async () => {
          opened ??= await open(path, "wx", 0o600);
          await opened.writeFile(bytes);
        });
      },
      end: () =>
        whileRoom(async () => {
          opened ??= await open(path, "wx", 0o600);
          await close();
        }),
    };
  }

  async function whileRoom(act: () => Promise<void>): Promise<void> {
    if (isFull) return;
    try {
      await act();
    } catch (error) {
      if (!isNoSpace(error)) throw error;
      isFull = true;
    }
  }

  async function close(): Promise<void> {
    const handle = opened;
    opened = null;
    await handle?.close();
  }
}

/** Reads and drops what is past the limit, as readBody() does. */
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
