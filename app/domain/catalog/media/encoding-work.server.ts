import { type SQL, sql } from "drizzle-orm";
import type { MediaFileRow } from "#app/domain/media/store-file.server.ts";
import { json } from "#db/rows.ts";
import type { workState } from "#db/schema/encoding.ts";

type WorkState = (typeof workState.enumValues)[number];

/** For a row `w` of media_work. */
export const isOpenStep = sql`w.state IN ('waiting', 'running')`;

export function isOpen({ state }: { state: WorkState }): boolean {
  return state === "waiting" || state === "running";
}

/** For a row `w` of media_work: can be retried. */
export const isStoppedStep = sql`w.state IN ('failed', 'cancelled')`;

export function isStopped({ state }: { state: WorkState }): boolean {
  return state === "failed" || state === "cancelled";
}

/** As the steps have written them. */
export const MadeFiles = json<MadeFile[]>().transform((files) =>
  // Those from before there were object stores name no place.
  files.map(({ storage = "folder", ...file }): MediaFileRow => ({ ...file, storage })),
);
type MadeFile = Omit<MediaFileRow, "storage"> & Partial<Pick<MediaFileRow, "storage">>;

/** Storage keys of files that wait for the rest of their group: decision 159. */
export function keysOfSteps(mediaId: string): SQL {
  return sql`SELECT file ->> 'storageKey' AS "storageKey" FROM media_work w, jsonb_array_elements(w.made) file
    WHERE w.media_id = ${mediaId}`;
}
