import { z } from "zod";

const LENGTH_LIMIT = 1_000;
const cursor = z.tuple([z.string().max(400), z.uuid()]);

/** A place between two rows: the sort column's value as text, and the id. */
export type Cursor = z.infer<typeof cursor>;

export function encodeCursor(place: Cursor): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** Null for anything that encodeCursor() did not make. */
export function decodeCursor(text: string | null): Cursor | null {
  if (!text || text.length > LENGTH_LIMIT) return null;
  try {
    const place = cursor.safeParse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
    return place.success && !place.data[0].includes("\0") ? place.data : null;
  } catch {
    return null;
  }
}
