import { sql } from "drizzle-orm";

/** All bytes are on the disk. */
export const HAS_ARRIVED = sql`received_bytes = bytes AND bytes > 0`;

export const IS_NOT_IMPORTED = sql`state IN ('uploading', 'complete')`;
