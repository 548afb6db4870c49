import postgres from "postgres";
import { parseDatabaseUrl } from "#app/config/database-address.ts";
import { connectTimeoutMs, postgresOptions } from "./adapter/driver-options.ts";
import { Sockets } from "./adapter/sockets.ts";

function openConnection(url: string): postgres.Sql {
  const address = parseDatabaseUrl(url);
  const timeoutMs = connectTimeoutMs(address);
  const sockets = new Sockets(address, timeoutMs);
  return postgres({
    ...postgresOptions(address),
    max: 1,
    connect_timeout: timeoutMs / 1_000,
    onnotice: () => {},
    fetch_types: false,
    socket: () => sockets.open(),
  } as postgres.Options<Record<string, never>>);
}

/** Runs with one connection of the query builder's driver, then ends it. Throws a UrlProblem. */
export async function withConnection<Result>(
  url: string,
  run: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const sql = openConnection(url);
  try {
    return await run(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
