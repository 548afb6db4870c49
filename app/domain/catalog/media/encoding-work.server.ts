import { type SQL, sql } from "drizzle-orm";

/** For a row `w` of media_work. */
export const isOpenStep = sql`w.state IN ('waiting', 'running')`;

/** Storage keys of files that wait for the rest of their group: decision 159. */
export function keysOfSteps(mediaId: string): SQL {
  return sql`SELECT file ->> 'storageKey' AS "storageKey" FROM media_work w, jsonb_array_elements(w.made) file
    WHERE w.media_id = ${mediaId}`;
}
