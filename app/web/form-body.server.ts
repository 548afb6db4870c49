const FORM_LIMIT_BYTES = 64 * 1024;
/** Read and dropped past a limit: a browser shows no answer before it has sent everything, only a broken connection. */
const DROPPED_BYTES = 32 * 1024 * 1024;

/** The form of a request, read no further than `limitBytes`. Throws a 413 past that and a 400 for what is no form. */
export async function readForm(request: Request, limitBytes = FORM_LIMIT_BYTES): Promise<FormData> {
  const body = await readBody(request, limitBytes);
  const type = request.headers.get("content-type") ?? "";
  try {
    return await new Response(body, { headers: { "Content-Type": type } }).formData();
  } catch {
    throw new Response("Request Failed", { status: 400 });
  }
}

/** Whether the form may carry files. */
export function isUpload(request: Request): boolean {
  return request.headers.get("content-type")?.startsWith("multipart/form-data") ?? false;
}

/** A text field; empty when it is missing or a file. */
export function field(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** Throws a 413 when there is more than `limitBytes`, whatever the length header says, and keeps no more than that. */
export async function readBody(
  request: Request,
  limitBytes = FORM_LIMIT_BYTES,
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
