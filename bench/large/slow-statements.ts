import type { Sql } from "postgres";
import type { Report } from "../report/report.ts";

const GOAL_MS = 10;
const SHOWN = 5;
const SHOWN_CHARACTERS = 150;

interface Statement {
  query: string;
  calls: number;
  mean: number;
  max: number;
}

/** Forgets what filling has cost. */
export async function watchStatements(sql: Sql): Promise<void> {
  await sql`CREATE EXTENSION pg_stat_statements`;
  await sql`SELECT pg_stat_statements_reset(0, (SELECT oid FROM pg_database WHERE datname = current_database()), 0)`;
}

/** The slowest single execution of both databases, and the statements above the goal. */
export async function reportStatements(
  { small, large }: Record<"small" | "large", Sql>,
  report: Report,
): Promise<void> {
  const [few, many] = [await slowest(small), await slowest(large)];
  const text = (statements: Statement[]) =>
    `max ${statements[0]?.max.toFixed(1)} ms, mean ${statements[0]?.mean.toFixed(1)}`;
  const over = many.filter(({ max }) => max > GOAL_MS);
  report({
    name: "slowest statement",
    figure: text(many),
    reference: text(few),
    ratio: (many[0]?.max ?? 0) / (few[0]?.max ?? Number.NaN),
    goal: `<= ${GOAL_MS} ms`,
    isMet: over.length === 0,
  });
  for (const { query, calls, mean, max } of over.slice(0, SHOWN)) {
    const shown = query.replaceAll(/\s+/g, " ").slice(0, SHOWN_CHARACTERS);
    console.log(`  ${max.toFixed(1)} ms at most, ${mean.toFixed(2)} ms on average of ${calls}: ${shown}`);
  }
}

function slowest(sql: Sql): Promise<Statement[]> {
  return sql<Statement[]>`
    SELECT query, calls::int, mean_exec_time AS mean, max_exec_time AS max FROM pg_stat_statements
    WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND query ~* '^\\s*(SELECT|WITH|INSERT|UPDATE|DELETE)' AND query !~ 'pg_stat_statements|^DELETE FROM rate_limits$'
    ORDER BY max_exec_time DESC`;
}
