import { redirect } from "@remix-run/node";
import { z } from "zod";
import { LONGEST_FIELD } from "#app/domain/catalog/edit/item/text-fields.ts";
import { FILE_LIMITS, PIECE_BYTES } from "#app/file-limits.ts";
import { trimInvisible } from "#app/texts.ts";
import { isShownAsPage, plainPage } from "../request/plain-page.server.ts";
import { safeRedirect } from "../request/safe-redirect.ts";

const FORM_BYTES = 64 * 1024;
/** In bytes. nginx accepts no more, except for pictures. */
export const BODY_LIMITS = {
  form: FORM_BYTES,
  /** Two versions of a long text, or the ids of a thousand items. */
  staffForm: 512 * 1024,
  picture: FILE_LIMITS.picture + FORM_BYTES,
  itemFiles: FILE_LIMITS.itemForm,
  piece: PIECE_BYTES,
  event: 256 * 1024,
};
/** How long nginx in the image waits for the first byte of an answer, as other proxies do. */
export const ANSWER_SECONDS = 60;
/** The longest text of a visitor is the token of an emailed link. */
const FIELD_LIMITS = { fields: 100, characters: 2_048 };
export const STAFF_FIELD_LIMITS = { fields: 1_100, characters: LONGEST_FIELD };
/** Read and dropped past a limit: a browser that cannot finish sending shows a broken connection and no answer. */
export const DROPPED_BYTES = 32 * 1024 * 1024;

/** Throws a 413 past `limitBytes` or FIELD_LIMITS, and a 400 when the body is not a form. */
export async function readForm(request: Request, limitBytes = BODY_LIMITS.form): Promise<FormData> {
  return parseForm(request, limitBytes, FIELD_LIMITS);
}

/** Call it only after a guard for staff. */
export async function readStaffForm(request: Request): Promise<FormData> {
  return parseForm(request, BODY_LIMITS.staffForm, STAFF_FIELD_LIMITS);
}

async function parseForm(
  request: Request,
  limitBytes: number,
  limits: typeof FIELD_LIMITS,
): Promise<FormData> {
  const body = await readBody(request, limitBytes);
  const type = request.headers.get("content-type") ?? "";
  const form = await new Response(body, { headers: { "Content-Type": type } }).formData().catch(() => {
    throw new Response("Request Failed", { status: 400 });
  });
  if (!isWithin(limits, form)) throw new Response("Request Failed", { status: 413 });
  return form;
}

function isWithin({ fields, characters }: typeof FIELD_LIMITS, form: FormData): boolean {
  const values = [...form.values()];
  const hasLongText = values.some((value) => typeof value === "string" && value.length > characters);
  return values.length <= fields && !hasLongText;
}

export function isUpload(request: Request): boolean {
  return request.headers.get("content-type")?.startsWith("multipart/form-data") ?? false;
}

export function field(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? trimInvisible(value) : "";
}

/** Null when no button of `intents` was pressed. Nothing may change then. */
export function readIntent<Intent extends string>(form: FormData, intents: readonly Intent[]): Intent | null {
  return intents.find((intent) => intent === field(form, "intent")) ?? null;
}

/** Null when it is no JSON. */
export function jsonField(form: FormData, name: string): unknown {
  try {
    return JSON.parse(field(form, name));
  } catch {
    return null;
  }
}

/** No version is negative, so an unreadable one matches none. */
export function openedVersion(form: FormData): number {
  const text = field(form, "opened");
  return /^\d{1,9}$/.test(text) ? Number(text) : -1;
}

/** Whether the box that confirms a decision is ticked. */
export function hasTick(form: FormData): boolean {
  return field(form, "confirm") === "yes";
}

export interface MediaForm<Fields = unknown> {
  mediaId: string;
  fields: Fields;
  /** Scripts send none. */
  next: FormDataEntryValue | null;
}

/** Throws a 422 without a valid id or with wrong fields. */
export async function readMediaForm<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<MediaForm<z.output<Schema>>> {
  const form = await readForm(request);
  const mediaId = z.uuid().safeParse(field(form, "mediaId"));
  const fields = schema.safeParse(Object.fromEntries(form));
  if (!mediaId.success || !fields.success) throw Response.json({ error: "Request Failed" }, { status: 422 });
  return { mediaId: mediaId.data, fields: fields.data, next: form.get("next") };
}

/** Redirects to the form's page. A script gets JSON. */
export function mediaFormAnswer(
  { next, mediaId }: MediaForm,
  row: object | null = null,
  anchor = `media-${mediaId}`,
): Response {
  if (next === null) return Response.json(row);
  return redirect(`${safeRedirect(next)}#${anchor}`, { status: 303 });
}

/** A browser without JavaScript gets a page with a sentence, and a script the refusal itself. */
export function mediaFormRefusal(request: Request, { next }: MediaForm, refusal: Response): Response {
  if (next === null || !isShownAsPage(request)) return refusal;
  const sentence = "This was not saved, because you no longer have access to it.";
  return plainPage(refusal.status, "Not saved", sentence, safeRedirect(next));
}

/** Keeps at most `limitBytes`, whatever Content-Length says. Throws a 413 beyond. */
export async function readBody(
  request: Request,
  limitBytes = BODY_LIMITS.form,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size <= limitBytes) chunks.push(part.value);
    else chunks.length = 0;
    if (size > limitBytes + DROPPED_BYTES) {
      await reader.cancel();
      break;
    }
  }
  if (size > limitBytes) throw new Response("Request Failed", { status: 413 });
  return Buffer.concat(chunks);
}
