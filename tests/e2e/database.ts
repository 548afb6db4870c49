import { readFile } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";

const DATA_DIR = process.env.E2E_DATA_DIR ?? "test-results/data";

/** One connection to the site's own database, ended when `run` is done. */
export async function withDatabase<Result>(run: (sql: postgres.Sql) => Promise<Result>): Promise<Result> {
  const { port, password } = JSON.parse(await readFile(join(DATA_DIR, "postgres.json"), "utf8"));
  const sql = postgres({ host: "127.0.0.1", port, password, user: "postgres", database: "peony", max: 1 });
  try {
    return await run(sql);
  } finally {
    await sql.end();
  }
}

/** Whoever asks for media meanwhile waits until the site gives up. */
export async function whileMediaAreLocked(run: () => Promise<void>): Promise<void> {
  await withDatabase((sql) =>
    sql.begin(async (tx) => {
      await tx`LOCK TABLE media`;
      await run();
    }),
  );
}
