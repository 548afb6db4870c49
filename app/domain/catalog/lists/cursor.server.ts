import { z } from "zod";

const LENGTH_LIMIT = 1_000;
const cursor = z.tuple([z.string().max(400, { abort: true }), z.uuid()]);

/** The sort column's value as text, and the id. */
export type Cursor = z.infer<typeof cursor>;

export function encodeCursor(position: Cursor): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** Null for anything that encodeCursor() did not make. */
export function decodeCursor(text: string | null): Cursor | null {
  if (!text || text.length > LENGTH_LIMIT) return null;
  try {
    const position = cursor.safeParse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
    return position.success && !position.data[0].includes("\0") ? position.data : null;
  } catch {
    return null;
  }
}
