import { join } from "node:path";
import postgres from "postgres";
import { readPassword } from "#db/server/password.ts";
import { findPostmaster } from "#db/server/postmaster.ts";
import { SITE_DATABASE, SUPERUSER } from "#db/server/site-role.ts";
import { ownSite } from "./sites.ts";

/** The address of a site's own database, for its superuser. */
export async function databaseAddress({ dataDir } = ownSite()): Promise<string> {
  const [server, password] = await Promise.all([
    findPostmaster(join(dataDir, "postgres")),
    readPassword(dataDir),
  ]);
  if (server === null || password === null) throw new Error("The site's database does not run.");
  return `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${server.port}/${SITE_DATABASE}`;
}

/** One connection to the site's own database, closed when `run` is done. */
export async function withDatabase<Result>(run: (sql: postgres.Sql) => Promise<Result>): Promise<Result> {
  const sql = postgres(await databaseAddress(), { max: 1 });
  try {
    return await run(sql);
  } finally {
    await sql.end();
  }
}

/** Requests for media wait meanwhile until the site's timeout. */
export async function whileMediaAreLocked(run: () => Promise<void>): Promise<void> {
  await withDatabase((sql) =>
    sql.begin(async (tx) => {
      await tx`LOCK TABLE media`;
      await run();
    }),
  );
}
