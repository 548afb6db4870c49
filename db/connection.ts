import postgres from "postgres";

const CONNECT_TIMEOUT_SECONDS = 5;

/** One connection to the database at `url`, for who has no pool, ended as soon as `run` is done. */
export async function withConnection<Result>(
  url: string,
  run: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const sql = postgres(url, {
    max: 1,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    onnotice: () => {},
    fetch_types: false,
  });
  try {
    return await run(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
