import { sql } from "drizzle-orm";
import { expect } from "vitest";
import { db } from "#db/client.server.ts";

const JOBS_WITHIN_MS = 60_000;

export async function untilJobsFailed(): Promise<void> {
  await expect
    .poll(
      async () => {
        const rows = await db.execute<{ task: string }>(sql`
          SELECT DISTINCT task_identifier AS task FROM graphile_worker.jobs WHERE last_error IS NOT NULL`);
        return rows.map(({ task }) => task).sort();
      },
      { timeout: JOBS_WITHIN_MS },
    )
    .toEqual(expect.arrayContaining(["billing-event", "send-mail"]));
}

/** Everything that the queue and the emails keep of errors, as one text. */
export async function storedErrors(): Promise<string> {
  const jobs = await db.execute(sql`SELECT last_error FROM graphile_worker.jobs`);
  const mails = await db.execute(sql`SELECT last_error FROM mail_outbox`);
  return JSON.stringify([...jobs, ...mails]);
}
