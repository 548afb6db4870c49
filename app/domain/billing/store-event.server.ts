import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { jobPerEvent } from "./event-job.server.ts";

/** A row of billing_events, without what the database says. */
export interface ToldEvent {
  id: string;
  provider: string;
  type: string;
  subject: string;
  subject_id: string;
  customer_id: string | null;
  created_at: Date;
}

interface Waiting {
  event: ToldEvent;
  resolve(isNew: boolean): void;
  reject(error: unknown): void;
}

const MOST_AT_ONCE = 100;
/** Postgres' classes of errors about the values themselves, and about what a row must have. */
const OF_VALUES = ["22", "23"];

let waiting: Waiting[] = [];
let isWriting = false;

/**
 * Keeps an event together with its job, both or nothing. Resolves, once it is on the disk, whether it was new. What comes
 * while others are being written is written together: a provider sends fifty at once, and every commit that wakes the
 * worker waits for the one before to reach the disk.
 */
export function storeEvent(event: ToldEvent): Promise<boolean> {
  return new Promise((resolve, reject) => {
    waiting.push({ event, resolve, reject });
    if (!isWriting) void writeWaiting();
  });
}

async function writeWaiting(): Promise<void> {
  isWriting = true;
  while (waiting.length > 0) {
    const next = waiting.slice(0, MOST_AT_ONCE);
    waiting = waiting.slice(MOST_AT_ONCE);
    await writeTogether(next);
  }
  isWriting = false;
}

async function writeTogether(all: Waiting[]): Promise<void> {
  try {
    const isNew = await write(all.map(({ event }) => event));
    // Of two with the same id the first is the new one.
    for (const { event, resolve } of all) resolve(isNew.delete(event.id));
  } catch (error) {
    const [one, ...others] = all;
    if (others.length > 0 && isOfValues(error)) for (const each of all) await writeTogether([each]);
    else for (const { reject } of one ? [one, ...others] : []) reject(error);
  }
}

/** The ids of those that were new. */
async function write(events: ToldEvent[]): Promise<Set<string>> {
  const stored = await db.execute<{ told: string }>(sql`
    WITH stored AS (
      INSERT INTO billing_events (id, provider, type, subject, subject_id, customer_id, created_at)
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(events)}::text::jsonb) AS told
        (id text, provider text, type text, subject text, subject_id text, customer_id text, created_at timestamptz)
      ON CONFLICT DO NOTHING RETURNING id, subject
    )
    SELECT id AS told, ${jobPerEvent(sql`stored`)} AS jobs FROM stored`);
  return new Set(stored.map(({ told }) => told));
}

/** One that cannot be stored must not take the others with it. */
function isOfValues(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return OF_VALUES.includes((cause?.code ?? code ?? "").slice(0, 2));
}
