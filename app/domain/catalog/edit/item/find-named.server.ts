import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { UUID } from "../../media/served-file.server.ts";
import { shortIdFromSlug } from "../../media/short-id.ts";

interface NamedMedia {
  id: string;
  shortId: string;
  title: string;
}

/** By id, by address, or by the last part of the address. */
export async function findNamed(name: string): Promise<NamedMedia | null> {
  const [path = ""] = name.trim().split(/[?#]/, 1);
  const last = path.replace(/\/+$/, "").split("/").at(-1) ?? "";
  const shortId = shortIdFromSlug(last);
  const condition = UUID.test(last)
    ? sql`id = ${last}`
    : shortId === null
      ? null
      : sql`short_id = ${shortId}`;
  if (condition === null) return null;
  const [found] = await db.execute<NamedMedia & Record<string, unknown>>(sql`
    SELECT id, short_id AS "shortId", title FROM media WHERE ${condition}`);
  return found ?? null;
}
