import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { jobOutcomes } from "#db/schema/jobs.ts";
import type { JobName } from "./jobs.ts";

const WRITE_EVERY_MS = 5_000;

/** "failed" is tried again; "gave-up" was the last attempt. */
export type Outcome = "succeeded" | "failed" | "gave-up";

interface Ended {
  job: string;
  outcome: string;
  attempts: number;
  seconds: number;
}

let unwritten = new Map<string, Ended>();

/** For the worker. Collected, because a write for each job would cost as much as a short job. */
export function keepOutcomes(): void {
  setInterval(() => void writeOutcomes().catch(() => {}), WRITE_EVERY_MS).unref();
}

export function countOutcome(job: JobName, outcome: Outcome, seconds: number): void {
  add({ job, outcome, attempts: 1, seconds });
}

/** Throws when the database does not take them; the next call tries again. */
export async function writeOutcomes(): Promise<void> {
  const written = [...unwritten.values()];
  if (written.length === 0) return;
  unwritten = new Map();
  try {
    // In one order, so that two workers do not wait for each other.
    await db.execute(sql`
      INSERT INTO job_outcomes AS known (job, outcome, attempts, seconds)
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(written)}::text::jsonb) AS ended
        (job text, outcome text, attempts bigint, seconds float8) ORDER BY job, outcome
      ON CONFLICT (job, outcome) DO UPDATE SET attempts = known.attempts + excluded.attempts,
        seconds = known.seconds + excluded.seconds, last_at = now()`);
  } catch (error) {
    for (const one of written) add(one);
    throw error;
  }
}

/** Totals since the site was made, and how long ago the last attempt ended, to about five seconds. */
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

function add({ job, outcome, attempts, seconds }: Ended): void {
  const key = `${job} ${outcome}`;
  const sum = unwritten.get(key) ?? { job, outcome, attempts: 0, seconds: 0 };
  sum.attempts += attempts;
  sum.seconds += seconds;
  unwritten.set(key, sum);
}
