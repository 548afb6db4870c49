import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { jobOutcomes } from "#db/schema/jobs.ts";
import type { JobName } from "./jobs.ts";

/** "failed" is tried again; "gave-up" was the last attempt. */
export type Outcome = "succeeded" | "failed" | "gave-up";

interface Ended {
  job: string;
  outcome: string;
  attempts: number;
  seconds: number;
}

export async function countOutcome(job: JobName, outcome: Outcome, seconds: number): Promise<void> {
  await db.execute(sql`
    INSERT INTO job_outcomes AS known (job, outcome, attempts, seconds)
    VALUES (${job}, ${outcome}, 1, ${seconds}::float8)
    ON CONFLICT (job, outcome) DO UPDATE SET attempts = known.attempts + 1,
      seconds = known.seconds + excluded.seconds, last_at = now()`);
}

export async function listOutcomes(): Promise<(Ended & { secondsAgo: number })[]> {
  return db
    .select({
      job: jobOutcomes.job,
      outcome: jobOutcomes.outcome,
      attempts: jobOutcomes.attempts,
      seconds: jobOutcomes.seconds,
      secondsAgo: sql<number>`extract(epoch FROM now() - ${jobOutcomes.lastAt})::float8`,
    })
    .from(jobOutcomes);
}
