import { sql } from "drizzle-orm";
import { z } from "zod";
import { UUID } from "#app/texts.ts";
import { db } from "#db/client.server.ts";
import { readRow, text } from "#db/rows.ts";
import { shortIdFromSlug } from "../../media/short-id.ts";

const NamedMedia = z.object({ id: text, shortId: text, title: text });
/** By id, by address, or by the last part of the address. */
export async function findNamed(name: string): Promise<z.infer<typeof NamedMedia> | null> {
  const [path = ""] = name.trim().split(/[?#]/, 1);
  const last = path.replace(/\/+$/, "").split("/").at(-1) ?? "";
  const shortId = shortIdFromSlug(last);
  const condition = UUID.test(last)
    ? sql`id = ${last}`
    : shortId === null
      ? null
      : sql`short_id = ${shortId}`;
  if (condition === null) return null;
  return readRow(db, NamedMedia)`
    SELECT id, short_id AS "shortId", title FROM media WHERE ${condition}`;
}
